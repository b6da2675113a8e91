import { parseArgs } from 'node:util';
import { type OptionsReading, readingOf } from '@tollgate/kit';
import { ATTACKS } from './attacks/attacks.js';
import { CHECKS } from './checks/checks.js';

export interface SiegeOptions {
  /** Ids of the attacks and checks to run; never empty. */
  readonly only: readonly string[];
  /** Duration of an attack. Each runs twice: against the comparison server and against the gateway. */
  readonly seconds: number;
  /** Folder of another compiled checkout; `null` for this one. */
  readonly gatewayRoot: string | null;
  readonly json: boolean;
  /** True to print the table of docs/siege.md. */
  readonly table: boolean;
}

const DEFAULT_SECONDS = 15;
const MIN_SECONDS = 2;
const MAX_SECONDS = 120;
const IDS = [...ATTACKS, ...CHECKS].map(({ id }) => id);

export const HELP = `Starts a gateway on this machine, attacks it as hostile customers and strangers would, and measures what another customer feels.
Nothing leaves this machine. Needs Linux, since memory and descriptors are read from /proc. Takes about a minute for each attack.

npm run siege -- [options]

  --only NAME[,NAME]   only these attacks
  --seconds N          how long each attack lasts, ${MIN_SECONDS} to ${MAX_SECONDS} (default ${DEFAULT_SECONDS})
  --gateway FOLDER     attacks the compiled gateway of another checkout
  --json               prints every figure as JSON
  --table              prints the table of figures for docs/siege.md at the end
  --help               prints this

Attacks:
${ATTACKS.map(({ id, title }) => `  ${id.padEnd(20)} ${title}\n`).join('')}
Checks:
${CHECKS.map(({ id, title }) => `  ${id.padEnd(20)} ${title}\n`).join('')}
Each attack runs twice in one run: against a server that does nothing else (it answers 429 at once, reads bodies to their end, or hashes as many passwords), and against the
gateway. Both times another customer uses the gateway at a fixed rate. The exit code is 1 when a goal is missed.
`;

function readSeconds(text: string | undefined): number {
  if (text === undefined) return DEFAULT_SECONDS;
  const seconds = Number(text);
  if (!(seconds >= MIN_SECONDS && seconds <= MAX_SECONDS)) {
    throw new Error(`--seconds: ${text} is not a number from ${MIN_SECONDS} to ${MAX_SECONDS}`);
  }
  return seconds;
}

function readOnly(text: string | undefined): readonly string[] {
  if (text === undefined) return IDS;
  const names = text.split(',');
  const unknown = names.filter((name) => !IDS.includes(name));
  if (unknown.length > 0) throw new Error(`--only: there is no attack or check ${unknown.join(', ')}; there are ${IDS.join(', ')}`);
  return names;
}

function parse(argv: readonly string[]): SiegeOptions | null {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      only: { type: 'string' }, seconds: { type: 'string' }, gateway: { type: 'string' },
      json: { type: 'boolean', default: false }, table: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return null;
  return { only: readOnly(values.only), seconds: readSeconds(values.seconds), gatewayRoot: values.gateway ?? null, json: values.json, table: values.table };
}

export function readOptions(argv: readonly string[]): OptionsReading<SiegeOptions> {
  return readingOf(() => parse(argv));
}
