import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Child } from '@tollgate/kit';
import type { Peer } from './checks.js';
import { installPythonPackages, pythonIn, runOrThrow } from './programs.js';

/** What a tiny model says; see `python/tiny_model.py`. */
export type ModelScript = 'plain' | 'thinking' | 'tool';

export const CONTEXT_TOKENS = 2048;
export const LLAMA_CPP: Peer = {
  id: 'llama-cpp', megabytes: 208, install: (folder) => installPythonPackages(folder, ['xllamacpp==2026.10.11549', 'gguf==0.19.0']),
};

const ADDRESS = /listening on (http:\/\/127\.0\.0\.1:\d+)/;
const WRITING_MILLISECONDS = 60_000;

function pythonProgram(name: string): string {
  return fileURLToPath(new URL(`../python/${name}`, import.meta.url));
}

export interface LlamaServer {
  /** Without a version. */
  readonly url: string;
  readonly child: Child;
}

/** Makes a tiny model in a folder and serves it with llama.cpp's own server. */
export async function startLlamaServer(model: ModelScript, folder: string, peerFolder: string): Promise<LlamaServer> {
  const file = join(folder, `${model}.gguf`);
  const python = pythonIn(peerFolder);
  await runOrThrow({ command: python, argv: [pythonProgram('tiny_model.py'), file, model], folder, environment: {}, timeoutMilliseconds: WRITING_MILLISECONDS });
  const child = Child.start({
    name: 'llama.cpp', command: python, argv: [pythonProgram('serve_model.py'), file, `${CONTEXT_TOKENS}`], folder, environment: {}, logFile: join(folder, 'llama.log'),
  });
  const [, url = ''] = await child.printed(ADDRESS);
  return { url, child };
}
