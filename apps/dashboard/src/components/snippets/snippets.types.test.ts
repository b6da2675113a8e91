import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { requestOf, type Settings, type Turn } from '../../pages/playground/conversation.js';
import { NO_REPLY } from '../../pages/playground/reply.js';
import type { SnippetInput } from './request.js';
import { snippetsFor } from './snippets.js';

const PACKAGES = fileURLToPath(new URL('../../../../../node_modules', import.meta.url));
const COMPILER = fileURLToPath(new URL('../../../../../node_modules/typescript/bin/tsc', import.meta.url));
const FORMATS = ['chat', 'messages', 'responses'] as const;
const OPTIONS = { module: 'nodenext', target: 'es2023', lib: ['es2023', 'dom'], types: ['node'], allowJs: true, checkJs: true, strict: true, skipLibCheck: true, noEmit: true };

const call = { id: 'call_1', name: 'weather', arguments: '{"city":"Rome"}' };
const turns: readonly Turn[] = [
  { role: 'user', text: 'Weather?', pictures: [{ name: 'a.png', address: 'data:image/png;base64,AAAA' }], results: [] },
  { role: 'model', model: 'm', reply: { ...NO_REPLY, text: 'I look.', toolCalls: [call] }, requestId: null, firstOutput: null, took: 1, stopped: false, raw: null },
  { role: 'user', text: 'And then?', pictures: [], results: [{ call, result: 'sunny' }] },
];
const tools = JSON.stringify([{ type: 'function', function: { name: 'weather', description: 'The weather.', parameters: { type: 'object', properties: {} } } }, { type: 'function', function: { name: 'now' } }]);
const everything: Settings = { model: 'm', format: 'chat', system: 'Be brief.', maximum: '20000', topP: '', stop: '', temperature: '0.5', effort: 'low', tools };

/** Three inputs per format, whole and streamed: a greeting; a plain conversation; one with pictures, calls and all settings. */
const inputs: readonly SnippetInput[] = FORMATS.flatMap((format) => [
  { baseUrl: 'http://localhost:8080', model: 'm', format },
  requestOf({ ...everything, format, topP: '', stop: '', temperature: '', effort: 'default', tools: '' }, [{ role: 'user', text: 'Hi', pictures: [], results: [] }], 'http://localhost:8080'),
  // The messages format has a temperature, but the current types of Anthropic's SDK do not.
  requestOf({ ...everything, format, ...(format === 'messages' ? { topP: '', stop: '', temperature: '' } : {}) }, turns, 'http://localhost:8080'),
].flatMap((input) => [{ ...input, stream: false }, { ...input, stream: true }]));

/** Returns the compiler's errors. */
function compile(files: ReadonlyMap<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-snippets-'));
  try {
    symlinkSync(PACKAGES, join(folder, 'node_modules'));
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: OPTIONS, files: [...files.keys()] }));
    for (const [name, code] of files) writeFileSync(join(folder, name), code);
    return spawnSync(process.execPath, [COMPILER, '-p', folder], { encoding: 'utf8', cwd: folder }).stdout;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function filesOf(of: readonly SnippetInput[]): Map<string, string> {
  return new Map(of.flatMap((input, index) => snippetsFor(input).filter(({ file }) => file?.endsWith('.mjs') === true).map(({ id, code }) => [`${index}-${input.format}-${id}.mjs`, code])));
}

it('the JavaScript snippet for each client library compiles against the library', () => {
  const files = filesOf(inputs);
  expect(files.size).toBeGreaterThan(FORMATS.length * 2 * (1 + 2 + 2));
  expect(compile(files)).toBe('');
}, 60_000);

it('the compiler rejects a snippet with an option of the wrong type', () => {
  expect(compile(filesOf([{ baseUrl: '', model: 'm', format: 'responses', extra: { reasoning: { effort: 5 } } }]))).toMatch(/error TS2769: .*|error TS2322/);
}, 60_000);
