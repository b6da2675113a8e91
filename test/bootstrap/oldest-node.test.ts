import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../..');
const SCRIPTS = join(ROOT, 'scripts');
const NAMED_IMPORTS = /import \{([^}]*)\} from 'node:([a-z/_]+)'/g;

/** Exports of Node's modules that scripts may use, because Node 18.20.8 has them. Check a name on Node 18 before you add it. */
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
  'path': ['basename', 'delimiter', 'dirname', 'isAbsolute', 'join', 'relative', 'resolve', 'sep'],
  'timers/promises': ['setTimeout'],
  'url': ['fileURLToPath'],
  'util': ['parseArgs'],
  'worker_threads': ['isMainThread'],
};

/** Syntax and methods that Node 18 lacks. It has `findLast`, `Object.hasOwn` and `structuredClone`. */
const NEWER = new RegExp([
  String.raw`\.(?:toSorted|toReversed|toSpliced|groupBy|withResolvers|fromAsync|isWellFormed|toWellFormed|waitAsync)\b`,
  String.raw`\.(?:with|union|intersection|difference|symmetricDifference|isSubsetOf|isSupersetOf|isDisjointFrom)\(`,
  // These are methods of iterators.
  String.raw`\.(?:values|keys|entries)\(\)\.(?:map|filter|flatMap|take|drop|reduce|toArray|forEach|some|every|find)\(`,
  String.raw`\b(?:Promise\.try|RegExp\.escape|URL\.parse|Iterator\.from|Error\.isError|Symbol\.(?:dispose|asyncDispose))\b`,
  String.raw`\bimport\.meta\.(?:dirname|filename|main|resolve)\b`, String.raw`\bprocess\.(?:loadEnvFile|getBuiltinModule)\b`,
  String.raw`\busing \w+ =`, String.raw`\bnew (?:WebSocket|CustomEvent|File|EventSource)\(`, String.raw`\bnavigator\.`, String.raw`\bwith \{ type:`,
].join('|'));

const scripts = readdirSync(SCRIPTS, { recursive: true, encoding: 'utf8' }).filter((file) => /\.[mc]js$/.test(file));

test.each(scripts)('%s imports only what Node 18 exports, because npm may start it with an older Node than the pinned one', (file) => {
  const imported = [...readFileSync(join(SCRIPTS, file), 'utf8').matchAll(NAMED_IMPORTS)].flatMap(([, names = '', module = '']) =>
    names.split(',').map((name) => ({ module, name: name.trim().split(' as ')[0] ?? '' })));
  expect(imported.filter(({ module, name }) => !NODE_18[module]?.includes(name))).toEqual([]);
});

const mutationScripts = readdirSync(join(ROOT, 'tools/mutations')).filter((file) => file.endsWith('.mjs'));

test.each([...scripts.map((file) => `scripts/${file}`), ...mutationScripts.map((file) => `tools/mutations/${file}`)])('%s uses no method and no syntax that Node 18 lacks', (file) => {
  const lines = readFileSync(join(ROOT, file), 'utf8').split('\n');
  expect(lines.filter((line) => NEWER.test(line))).toEqual([]);
});

test.each([
  'names.toSorted()', 'names.toReversed()', 'names.with(0, name)', 'Object.groupBy(names, kindOf)', 'Promise.withResolvers()', 'await Array.fromAsync(names)',
  'one.union(other)', 'map.values().toArray()', 'map.keys().map(nameOf)', "URL.parse('a')", 'import.meta.dirname', 'process.loadEnvFile()', 'await using file = open()',
])('a script that uses %s, which Node 18 lacks, is reported', (line) => {
  expect(NEWER.test(line)).toBe(true);
});

test.each([
  'names.findLast(isNew)', 'Object.hasOwn(names, name)', 'structuredClone(names)', '[...names].sort()', 'Object.values(names).map(kindOf)', 'names.at(-1)', 'new URL(import.meta.url)',
])('a script that uses %s, which Node 18 has, is not reported', (line) => {
  expect(NEWER.test(line)).toBe(false);
});
