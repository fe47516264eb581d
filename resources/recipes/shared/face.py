# SPDX-License-Identifier: Apache-2.0
"""What the InsightFace recipes share: a trainer that is configured by a Python file gets its values without a change of
that file.

    python face.py PATH/trainer.py MODULE[=FILE] NAME.KEY=VALUE… -- OPTIONS…

MODULE is what the trainer imports as its configuration; FILE, without its ending, is the one to take for it.
NAME.KEY=VALUE is as that file would say it (config.fp16=True), and what is no Python literal is a text; it holds from
the start and again after generate_config() has filled in what belongs to a network, a loss and a data set. In OPTIONS,
{scratch} is a folder of this process that goes when it ends. MXNet's save_checkpoint does nothing: nobody needs the
model.
"""
import ast
import importlib
import os
import runpy
import sys
import tempfile


def literal(text):
    try:
        return ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return text


def assign(module, values, strict):
    for name, value in values.items():
        *path, last = name.split(".")
        place = module
        for step in path:
            place = getattr(place, step)
        if hasattr(place, last):
            setattr(place, last, value)
        elif strict:
            sys.exit(f"{module.__name__} has no {name}: this is not the revision that the recipe is for")


def keep(module, values):
    fill_in = module.generate_config

    def generate_config(*arguments):
        fill_in(*arguments)
        assign(module, values, strict=True)

    assign(module, values, strict=False)
    module.generate_config = generate_config


def save_nothing():
    try:
        import mxnet
    except ImportError:
        return
    mxnet.model.save_checkpoint = lambda *arguments, **named: None


if __name__ == "__main__":
    program, name = sys.argv[1:3]
    end = sys.argv.index("--")
    pairs = [text.partition("=")[::2] for text in sys.argv[3:end]]
    name, _, file = name.partition("=")
    sys.path.insert(0, os.path.dirname(os.path.abspath(program)))
    configuration = sys.modules[name] = importlib.import_module(file or name)
    keep(configuration, {key: literal(value) for key, value in pairs})
    save_nothing()
    with tempfile.TemporaryDirectory(prefix="dlperf-") as scratch:
        sys.argv = [program, *(option.replace("{scratch}", scratch) for option in sys.argv[end + 1:])]
        runpy.run_path(program, run_name="__main__")
