import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Check, Peer } from './checks.js';
import { installPythonPackages, pythonIn, runOrThrow } from './programs.js';

const TIMEOUT_MILLISECONDS = 60_000;
const SDK_RELEASES = ['openai==3.54.0', 'anthropic==2.12.0'];

const PEER: Peer = { id: 'python-sdks', megabytes: 106, install: (folder) => installPythonPackages(folder, SDK_RELEASES) };

/** The functions of `python/sdk_checks.py`, each of which prints what it saw or raises. */
const SDK_SCRIPTS: readonly (readonly [name: string, title: string])[] = [
  ['openai_whole', 'Python openai: a whole reply with its receipt'],
  ['openai_stream', 'Python openai: a stream that ends with its receipt'],
  ['openai_wrong_key', 'Python openai: a wrong key is refused in one request'],
  ['openai_context_field', 'Python openai: a prompt that does not fit is refused in the words of its own format'],
  ['anthropic_first_block', 'Python anthropic: content[0].text of a reasoning model without a reasoning setting'],
  ['anthropic_stream', 'Python anthropic: a stream of a reasoning model begins with text'],
  ['anthropic_thinking', 'Python anthropic: thinking is shown where it is asked for'],
  ['anthropic_wrong_key', 'Python anthropic: a wrong key is refused in one request'],
];

export const PYTHON_SDK_CHECKS: readonly Check[] = SDK_SCRIPTS.map(([name, title]) => ({
  title,
  peer: PEER,
  run: async ({ baseUrl, key, folder }, peerFolder) => {
    mkdirSync(folder, { recursive: true });
    const script = fileURLToPath(new URL('../python/sdk_checks.py', import.meta.url));
    const { output } = await runOrThrow({
      command: pythonIn(peerFolder), argv: [script, name], folder, environment: { BASE_URL: baseUrl, KEY: key }, timeoutMilliseconds: TIMEOUT_MILLISECONDS,
    });
    return output;
  },
}));
