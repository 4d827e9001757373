"""Write event files with TensorBoard's writer."""

import numpy as np
import pytest

pytest.importorskip("tensorboard")

from tensorboard.compat.proto.event_pb2 import Event
from tensorboard.compat.proto.summary_pb2 import Summary, SummaryMetadata
from tensorboard.compat.proto.tensor_pb2 import TensorProto
from tensorboard.summary.writer.record_writer import RecordWriter
from tensorboard.util.tensor_util import make_tensor_proto


def simple(tag, step, value):
    """Return a scalar as written by PyTorch and TensorFlow 1."""
    return Event(step=step, summary=Summary(value=[Summary.Value(tag=tag, simple_value=value)]))


def tensor(tag, step, value):
    """Return a scalar as written by TensorFlow 2."""
    content = make_tensor_proto(np.float32(value))
    return Event(step=step, summary=Summary(value=[Summary.Value(tag=tag, tensor=content)]))


def hyperparameters(**values):
    """Return hyperparameters as logged by CleanRL: a Markdown table with PyTorch's tag for texts."""
    text = "|param|value|\n|-|-|\n" + "\n".join(f"|{name}|{value}|" for name, value in values.items())
    content = TensorProto(dtype=7, string_val=[text.encode()])
    metadata = SummaryMetadata(plugin_data=SummaryMetadata.PluginData(plugin_name="text"))
    value = Summary.Value(tag="hyperparameters/text_summary", metadata=metadata, tensor=content)
    return Event(step=0, summary=Summary(value=[value]))


def write_events(folder, events, time=1700000000, host="host"):
    """Write an event file, which begins with its version, to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"events.out.tfevents.{time}.{host}.1.0"
    with path.open("wb") as file:
        writer = RecordWriter(file)
        begun = min((event.wall_time for event in events), default=0.0)
        for event in (Event(file_version="brain.Event:2", wall_time=begun), *events):
            writer.write(event.SerializeToString())
    return path
