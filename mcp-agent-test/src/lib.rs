//! A scripted CLI and a stand-in for the model, for those who test agents.
