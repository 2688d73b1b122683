"""Read reports outside the server, each in its own process.

Much of reading is one long call into C, during which no other thread of a process runs: one large
file would stop the pages of everybody. So the server parses nothing. It has a process that has
imported the readers and does nothing but fork (`template`); each file, and each look at texts, is a
`job` in a fork of it, asked for by a `call`. A fork takes a few milliseconds, can be killed at any
time, and gives all memory back. What it finds out comes over a socket (`wire`).
"""
