import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const SCRIPTS = join(import.meta.dirname, '../../scripts');
const NAMED_IMPORTS = /import \{([^}]*)\} from 'node:([a-z/_]+)'/g;

/** Exports that the scripts use and Node 18.20.8 has. Add a name only after checking Node 18. */
const NODE_18: Readonly<Record<string, readonly string[]>> = {
  'child_process': ['execFileSync', 'spawn', 'spawnSync'],
  'events': ['once'],
  'fs': [
    'chmodSync', 'chownSync', 'closeSync', 'cpSync', 'existsSync', 'lstatSync', 'mkdirSync', 'mkdtempSync', 'openSync', 'readFileSync', 'readdirSync', 'realpathSync', 'renameSync', 'rmSync',
    'statSync', 'statfsSync', 'utimesSync', 'writeFileSync',
  ],
  'fs/promises': ['mkdtemp', 'readFile', 'rm', 'writeFile'],
  'module': ['createRequire'],
  'net': ['createServer'],
  'os': ['constants', 'getPriority', 'setPriority', 'tmpdir'],
  'path': ['basename', 'delimiter', 'dirname', 'join', 'relative', 'resolve', 'sep'],
  'timers/promises': ['setTimeout'],
  'url': ['fileURLToPath'],
  'util': ['parseArgs'],
  'worker_threads': ['isMainThread'],
};

const scripts = readdirSync(SCRIPTS, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.mjs'));

test.each(scripts)('%s imports only what Node 18 exports, since npm starts it with the installed Node', (file) => {
  const imported = [...readFileSync(join(SCRIPTS, file), 'utf8').matchAll(NAMED_IMPORTS)].flatMap(([, names = '', module = '']) =>
    names.split(',').map((name) => ({ module, name: name.trim().split(' as ')[0] ?? '' })));
  expect(imported.filter(({ module, name }) => !NODE_18[module]?.includes(name))).toEqual([]);
});
