# SPDX-License-Identifier: Apache-2.0
"""A trainer's clock: where it starts, how long an iteration takes, how its stamps look."""
import datetime

LEAP_AND_YEAR_ENDS = [
    datetime.datetime(2020, 2, 28, 23, 59, 58, 7), datetime.datetime(2020, 2, 29, 23, 59, 59, 1),
    datetime.datetime(2020, 12, 31, 23, 59, 57, 999999), datetime.datetime(2021, 9, 5, 9, 3, 2, 5)]


class Even(float):
    """Seconds of an iteration that are the same each time."""


class Clock:
    def __init__(self, rng, base, odd=False, dated=True):
        """base: seconds an iteration. Odd clocks soon pass midnight, unless the stamps have no date."""
        self.rng, self.base = rng, base
        if odd and dated:
            self.now = rng.choice(LEAP_AND_YEAR_ENDS)
        else:
            day, hour, minute = rng.randint(1, 30), rng.randint(0, 22 if dated else 2), rng.randint(0, 59)
            self.now = datetime.datetime(2020, 9, day, hour, minute, 3, rng.randint(1, 999999))
        self.day = None if dated else self.now.date()

    def step(self, iterations=1):
        """Goes on by some iterations; the seconds that one of them took."""
        even = isinstance(self.base, Even)
        seconds = float(self.base) if even else abs(self.rng.gauss(self.base, self.base / 20)) + 0.0001
        self.now += datetime.timedelta(seconds=seconds * iterations)
        assert self.day in (None, self.now.date()), "time of day over midnight"
        return seconds

    def micro(self):
        """2020-08-20 07:30:12.123456. Python prints no fraction at a whole second, which the extractors cannot read."""
        if self.now.microsecond == 0:
            self.now += datetime.timedelta(microseconds=1)
        return str(self.now)

    def milli(self):
        return f"{self.now:%Y-%m-%d %H:%M:%S},{self.now.microsecond // 1000:03d}"

    def glog(self):
        return f"I{self.now:%m%d %H:%M:%S.%f}"
