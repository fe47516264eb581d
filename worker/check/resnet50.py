# SPDX-License-Identifier: Apache-2.0
"""ResNet50 v1.5 in PyTorch with torchvision's names, for machines that have no torchvision."""
from torch import nn


def convolution(inputs, outputs, kernel, stride=1):
    return nn.Conv2d(inputs, outputs, kernel, stride, padding=kernel // 2, bias=False)


class Bottleneck(nn.Module):
    """1x1, 3x3 (with the stride: that is v1.5) and 1x1, and a shortcut, which is a convolution where shapes differ."""

    def __init__(self, inputs, width, stride):
        super().__init__()
        outputs = 4 * width
        self.conv1, self.bn1 = convolution(inputs, width, 1), nn.BatchNorm2d(width)
        self.conv2, self.bn2 = convolution(width, width, 3, stride), nn.BatchNorm2d(width)
        self.conv3, self.bn3 = convolution(width, outputs, 1), nn.BatchNorm2d(outputs)
        self.relu = nn.ReLU(inplace=True)
        self.downsample = None
        if stride != 1 or inputs != outputs:
            self.downsample = nn.Sequential(convolution(inputs, outputs, 1, stride), nn.BatchNorm2d(outputs))

    def forward(self, x):
        shortcut = x if self.downsample is None else self.downsample(x)
        x = self.relu(self.bn1(self.conv1(x)))
        x = self.relu(self.bn2(self.conv2(x)))
        return self.relu(self.bn3(self.conv3(x)) + shortcut)


class ResNet50(nn.Module):
    def __init__(self, classes=1000):
        super().__init__()
        self.conv1, self.bn1 = convolution(3, 64, 7, 2), nn.BatchNorm2d(64)
        self.relu, self.maxpool = nn.ReLU(inplace=True), nn.MaxPool2d(3, 2, padding=1)
        inputs = 64
        for number, (blocks, width) in enumerate(((3, 64), (4, 128), (6, 256), (3, 512)), start=1):
            strides = [1 if number == 1 else 2] + [1] * (blocks - 1)
            layer = [Bottleneck(inputs if n == 0 else 4 * width, width, stride) for n, stride in enumerate(strides)]
            setattr(self, f"layer{number}", nn.Sequential(*layer))
            inputs = 4 * width
        self.avgpool, self.fc = nn.AdaptiveAvgPool2d(1), nn.Linear(inputs, classes)

    def forward(self, x):
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        return self.fc(self.avgpool(x).flatten(1))
