"""Runs llama.cpp's own HTTP server on 127.0.0.1 until it is ended: serve_model.py FILE CONTEXT_TOKENS

Prints its address once it listens.
"""
import signal
import sys

import xllamacpp

settings = xllamacpp.CommonParams()
settings.model.path = sys.argv[1]
settings.n_ctx = int(sys.argv[2])
settings.port = 0
settings.n_parallel = 1
settings.n_gpu_layers = 0
settings.endpoint_props = True
settings.use_jinja = True
settings.warmup = False
settings.cpuparams.n_threads = 1
settings.sampling.temp = 0.0
server = xllamacpp.Server(settings)
print("listening on", server.listening_address, flush=True)
signal.pause()
