import { ATTACKS } from '../../tools/siege/src/attacks/attacks.js';
import { MAIL_NAMES, MAIL_PLACEHOLDERS } from '@tollgate/identity';
import { CHECKS as SIEGE_CHECKS } from '../../tools/siege/src/checks/checks.js';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { VARIABLES } from '@tollgate/adapters-config';
import { CHECKS } from '@tollgate/browser';
import {
  DEFAULT_REQUEST_LIMITS, END_REASONS, GatewayError, MAX_REQUEST_LIMITS, MILLISECONDS_PER_DAY, MILLISECONDS_PER_HOUR, MILLISECONDS_PER_MINUTE,
  MILLISECONDS_PER_SECOND, MAX_RESPONSE_CHAIN, STANDARD_PLANS, MAX_STORED_RESPONSE_BYTES, MAX_STORED_RESPONSES, MAX_STORED_RESPONSES_BYTES,
} from '@tollgate/core';
import {
  MAX_SESSIONS, NETWORK_BOUNDS, OPERATOR_LINK_MILLISECONDS, MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH, sessionLifeOf, SUBJECT_BOUNDS,
  TOKEN_LIFETIMES,
} from '@tollgate/identity';
import {
  errorTable, MAX_JSON_DEPTH, MAX_JSON_ITEMS, MAX_JSON_KEYS, MAX_METADATA_USER_ID_CHARACTERS, MAX_USER_CHARACTERS, quotaHeaders, REFUSED_FIELDS, REFUSED_RESPONSES_FIELDS,
  UNSENT_SETTINGS,
} from '@tollgate/wire-kit';
import { ManualClock } from '@tollgate/adapters-memory';
import { chatFormat } from '@tollgate/wire-chat';
import { messagesFormat } from '@tollgate/wire-messages';
import { responsesFormat } from '@tollgate/wire-responses';
import { FINISH_WORDS } from '../../packages/adapters-upstream/src/reply/finish-words.js';
import { USAGE_FIELDS } from '../../packages/adapters-upstream/src/reply/reported-usage.js';
import { FAILURE_WEIGHTS } from '../../packages/adapters-upstream/src/routing/circuit-window.js';
import { DEFAULT_ITEMS } from '../../packages/wire-kit/src/request-limits.js';
import { MAX_BODY_BYTES } from '../../apps/gateway/src/http/body-room.js';
import { MIN_BYTES_PER_SECOND } from '../../apps/gateway/src/http/upload-pace.js';
import { SERVER_LIMITS } from '../../apps/gateway/src/http/server/create-server.js';
import { MANY_REQUESTS } from '../../apps/gateway/src/http/server/network-shares.js';
import { projectRoot, readDocument, tableRows } from './documents.js';

const grouped = (value: number): string => value.toLocaleString('en-US');

test('errors.md lists every code with its status and type', () => {
  const rows = tableRows(readDocument('docs/errors.md'), 'error-codes').map(([status, code, type]) => [code, { status: Number(status), type }]);
  expect(rows).toHaveLength(Object.keys(errorTable).length);
  expect(Object.fromEntries(rows)).toEqual(errorTable);
});

test('errors.md orders its codes by status', () => {
  const statuses = tableRows(readDocument('docs/errors.md'), 'error-codes').map(([status]) => Number(status));
  expect(statuses).toEqual(statuses.toSorted((a, b) => a - b));
});

test('errors.md numbers the order of refusals and names only codes that exist', () => {
  const rows = tableRows(readDocument('docs/errors.md'), 'refusal-order');
  expect(rows.map(([number]) => Number(number))).toEqual(rows.map((_, index) => index + 1));
  expect(rows.map(([, , code]) => code).filter((code) => code === undefined || !(code in errorTable))).toEqual([]);
});

test('request-path.md names, for each refusal of errors.md, the function that decides it, and the file', () => {
  const rows = tableRows(readDocument('docs/request-path.md'), 'refusal-places');
  expect(rows.map(([number, code]) => [number, code])).toEqual(tableRows(readDocument('docs/errors.md'), 'refusal-order').map(([number, , code]) => [number, code]));
  const absent = rows.filter(([, , name = '', file = '']) =>
    !new RegExp(`^(?:export )?(?:async )?function ${name}\\(|^  (?:private )?(?:async )?${name}\\(`, 'mu').test(readFileSync(join(projectRoot, file), 'utf8')));
  expect(absent).toEqual([]);
});

test('upstreams.md names only kinds of upstreams that exist', () => {
  const named = tableRows(readDocument('docs/upstreams.md'), 'adapted').flatMap(([, kinds = '']) => kinds.split(', '));
  expect(named.filter((kind) => !['openai', 'anthropic', 'responses'].includes(kind))).toEqual([]);
});

test('request-path.md names, for each request of upstreams.md, the function that adapts it, and the file', () => {
  const rows = tableRows(readDocument('docs/request-path.md'), 'adapted-places');
  expect(rows.map(([request]) => request)).toEqual(tableRows(readDocument('docs/upstreams.md'), 'adapted').map(([request]) => request));
  const absent = rows.filter(([, name = '', file = '']) =>
    !new RegExp(`^(?:export )?function ${name}\\(|^  #?${name}\\(`, 'mu').test(readFileSync(join(projectRoot, file), 'utf8')));
  expect(absent).toEqual([]);
});

const MIN_REQUESTS = {
  chat: { decode: (body: unknown) => chatFormat.decodeRequest(body), body: { model: 'm', messages: [{ role: 'user', content: 'a' }] } },
  messages: { decode: (body: unknown) => messagesFormat.decodeRequest(body), body: { model: 'm', max_tokens: 1, messages: [{ role: 'user', content: 'a' }] } },
  responses: { decode: (body: unknown) => responsesFormat({ clock: new ManualClock(), seal: null }).decodeRequest(body), body: { model: 'm', input: 'a' } },
} as const;

function refuses(format: keyof typeof MIN_REQUESTS, field: string): boolean {
  const { decode, body } = MIN_REQUESTS[format];
  const isSwitch = ['background', 'store'].includes(field);
  const refused = (value: unknown): boolean => {
    try {
      decode({ ...body, [field]: value });
      return false;
    } catch (thrown) {
      return thrown instanceof GatewayError && thrown.code === 'invalid_request' && thrown.param === field;
    }
  };
  return isSwitch ? refused(true) : refused({ id: 'a' }) && refused('a');
}

test('wire-formats.md states which formats refuse each field that refers to stored state', () => {
  const rows = tableRows(readDocument('docs/wire-formats.md'), 'stored-state').flatMap(([fields = '', ...treatments]) => fields.split(', ').map((field) => [field, ...treatments.slice(0, 3)]));
  const formats = ['chat', 'messages', 'responses'] as const;
  expect(rows.map(([field]) => field)).toEqual(expect.arrayContaining(['thread', ...REFUSED_FIELDS.keys(), ...REFUSED_RESPONSES_FIELDS.keys()]));
  const differing = rows.flatMap(([field = '', ...treatments]) =>
    formats.filter((format, index) => refuses(format, field) !== (treatments[index] === 'refused')).map((format) => `${field}: ${format}`));
  expect(differing).toEqual([]);
});

/** Values that ask for something, where another one than `['audio']` is valid. */
const ASKING: Readonly<Record<string, unknown>> = { 'include': ['a'], 'output_config.task_budget': { total: 1 }, 'text.verbosity': 'low', 'top_k': 5 };

function namesUnsent(format: keyof typeof MIN_REQUESTS, field: string): boolean {
  const { decode, body } = MIN_REQUESTS[format];
  const asked = field.split('.').reduceRight<unknown>((value, key) => ({ [key]: value }), ASKING[field] ?? ['audio']);
  return decode({ ...body, ...asked as object }).generation.omitted?.includes(field) ?? false;
}

test('wire-formats.md states which settings that no upstream is sent are named in usage records', () => {
  const rows = tableRows(readDocument('docs/wire-formats.md'), 'unsent-settings').flatMap(([fields = '', named]) => fields.split(', ').map((field) => [field, named] as const));
  expect(rows.filter(([, named]) => named === 'yes').map(([field]) => field).toSorted()).toEqual([...UNSENT_SETTINGS.keys()].toSorted());
  const formats = ['chat', 'messages', 'responses'] as const;
  expect(rows.flatMap(([field, named]) => formats.filter((format) => namesUnsent(format, field) !== (named === 'yes')).map((format) => `${field}: ${format}`))).toEqual([]);
});

test('limits.md states the standard plans', () => {
  const cap = (tokens: number | null): string => (tokens === null ? 'none' : grouped(tokens));
  expect(tableRows(readDocument('docs/limits.md'), 'plans')).toEqual(STANDARD_PLANS.map(({ id, name, limits }) => [
    id,
    name,
    grouped(limits.requestsPerMinute),
    grouped(limits.tokensPerMinute),
    grouped(limits.concurrentRequests),
    grouped(limits.maxContextTokens),
    grouped(limits.activeKeys),
    cap(limits.tokensPerDay),
    cap(limits.tokensPerMonth),
  ]));
});

test('limits.md names the rate-limit headers', () => {
  const headers = quotaHeaders({
    requestsLimit: 1, requestsRemaining: 1, tokensLimit: 1 as never, tokensRemaining: 1 as never, requestsResetSeconds: 1,
  });
  expect(tableRows(readDocument('docs/limits.md'), 'quota-headers').map(([name]) => name)).toEqual(Object.keys(headers));
});

test('limits.md states the bounds of a request', () => {
  const values = tableRows(readDocument('docs/limits.md'), 'request-bounds').map(([name, value]) => [name, value]);
  expect(Object.fromEntries(values)).toEqual({
    'Body': `${grouped(MAX_BODY_BYTES)} bytes`,
    'Messages': grouped(DEFAULT_REQUEST_LIMITS.messages),
    'Items (responses), those of the continued responses included': grouped(DEFAULT_ITEMS),
    'Characters of text in one message': grouped(DEFAULT_REQUEST_LIMITS.messageCharacters),
    'Tools': grouped(DEFAULT_REQUEST_LIMITS.tools),
    'Stop sequences': grouped(DEFAULT_REQUEST_LIMITS.stopSequences),
    'Characters of user (chat, responses)': grouped(MAX_USER_CHARACTERS),
    'Characters of metadata.user_id (messages)': grouped(MAX_METADATA_USER_ID_CHARACTERS),
    'Nesting of the JSON': grouped(MAX_JSON_DEPTH),
    'Keys of all objects in the JSON': grouped(MAX_JSON_KEYS),
    'Items of all lists in the JSON': grouped(MAX_JSON_ITEMS),
    'n': '1',
  });
});

test('configuration.md states the request limits that a catalogue may set', () => {
  const rows = tableRows(readDocument('docs/configuration.md'), 'request-limits').map(([field, byDefault, most]) => [field, byDefault, most]);
  expect(rows).toEqual(([['messages', 'messages'], ['tools', 'tools'], ['message_characters', 'messageCharacters'], ['stop_sequences', 'stopSequences']] as const)
    .map(([field, name]) => [field, grouped(DEFAULT_REQUEST_LIMITS[name]), grouped(MAX_REQUEST_LIMITS[name])]));
});

test('limits.md states the bounds of stored responses', () => {
  expect(tableRows(readDocument('docs/limits.md'), 'stored-response-bounds').map(([, value]) => value)).toEqual([
    `${VARIABLES.RESPONSES_KEEP_HOURS.default} hours (RESPONSES_KEEP_HOURS)`, `${grouped(MAX_STORED_RESPONSE_BYTES)} bytes`,
    grouped(MAX_STORED_RESPONSES), `${grouped(MAX_STORED_RESPONSES_BYTES)} bytes`, grouped(MAX_RESPONSE_CHAIN),
  ]);
});

test('monitoring.md states how each upstream failure counts', () => {
  const stated = tableRows(readDocument('docs/monitoring.md'), 'failure-weights').flatMap(([reasons = '', , counts = '']) =>
    reasons.split(', ').map((reason) => [reason, counts.replaceAll(' ', '-')] as const));
  expect(stated).toHaveLength(Object.keys(FAILURE_WEIGHTS).length);
  expect(Object.fromEntries(stated)).toEqual(FAILURE_WEIGHTS);
});

test('upstreams.md lists the finish reasons', () => {
  const ends = { 'The model ended': 'end', 'A tool call': 'tool-call', 'The maximum output': 'max-tokens', 'A content filter': 'content-filter', 'Lack of capacity': 'capacity', 'A failure of the upstream': 'failed' };
  const stated = tableRows(readDocument('docs/upstreams.md'), 'finish-words').map(([end = '', words = '']) => [ends[end as keyof typeof ends], words.split(', ')] as const);
  expect(stated).toHaveLength(Object.keys(FINISH_WORDS).length);
  expect(Object.fromEntries(stated)).toEqual(FINISH_WORDS);
});

test('upstreams.md lists the fields of a reported usage', () => {
  const words = (figure: string): string => figure.charAt(0).toUpperCase() + figure.slice(1).replace(/Tokens$/, '').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const figures = Object.fromEntries(Object.keys(USAGE_FIELDS).map((figure) => [words(figure), figure]));
  const stated = tableRows(readDocument('docs/upstreams.md'), 'usage-fields').map(([figure = '', fields = '']) => [figures[figure], fields.split(', ')] as const);
  expect(stated).toHaveLength(Object.keys(USAGE_FIELDS).length);
  expect(Object.fromEntries(stated)).toEqual(USAGE_FIELDS);
});

test('billing.md explains every way a request can end', () => {
  expect(tableRows(readDocument('docs/billing.md'), 'end-reasons').map(([reason]) => reason).toSorted()).toEqual(END_REASONS.toSorted());
});

interface PackageDependencies {
  readonly dependencies?: Record<string, string>;
  /** Packages that a production install omits, like the testkit. */
  readonly devDependencies?: Record<string, string>;
}

test('ARCHITECTURE.md permits each package exactly the imports that its package.json lists', () => {
  const stated = tableRows(readDocument('docs/ARCHITECTURE.md'), 'imports').filter(([name]) => name !== 'apps').flatMap(([names = '', imports = '']) =>
    names.split(', ').map((name) => [name, imports.split(', ').filter((module) => module !== 'Node').toSorted()] as const));
  const declared = globSync('packages/*/package.json', { cwd: projectRoot }).map((file) => {
    const name = file.split(/[/\\]/u)[1] ?? '';
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(projectRoot, file), 'utf8')) as PackageDependencies;
    const installed = name === 'testkit' ? { ...dependencies, ...devDependencies } : { ...dependencies };
    return [name, Object.keys(installed).filter((module) => !module.startsWith('@types/')).map((module) => module.replace('@tollgate/', '')).toSorted()] as const;
  });
  expect(Object.fromEntries(stated)).toEqual(Object.fromEntries(declared));
});

test('errors.md lists refusals in the order that the gateway’s tests check', () => {
  const source = readFileSync(join(projectRoot, 'apps/gateway/test/refusal-order.test.ts'), 'utf8');
  const lines = source.slice(source.indexOf('const LINES'), source.indexOf('\n];'));
  const codes = [...lines.matchAll(/code: '(\w+)'/gu)].map((match) => match[1] ?? '');
  const order = codes.filter((code, index) => code !== codes[index - 1]);
  expect(tableRows(readDocument('docs/errors.md'), 'refusal-order').map(([, , code]) => code)).toEqual(order);
});

test('monitoring.md lists every metric', () => {
  const stated = tableRows(readDocument('docs/monitoring.md'), 'metrics').map(([name]) => name);
  const sources = globSync('apps/gateway/src/observability/*.ts', { cwd: projectRoot }).filter((file) => !file.endsWith('.test.ts')).map((file) => readFileSync(join(projectRoot, file), 'utf8'));
  const declared = sources.flatMap((source) => [...source.matchAll(/\bname: '([a-z0-9_]+)'/gu)].map((match) => match[1]));
  expect(declared.length).toBeGreaterThan(0);
  expect(stated.toSorted()).toEqual(declared.toSorted());
});

test('operations.md states the bounds of clients', () => {
  const stated = Object.fromEntries(tableRows(readDocument('docs/operations.md'), 'client-limits'));
  const seconds = (milliseconds: number): string => `${milliseconds / MILLISECONDS_PER_SECOND} s`;
  expect(stated).toMatchObject({
    'Connections in total': expect.stringContaining(`(${grouped(Number(VARIABLES.MAX_CONNECTIONS.default))})`),
    'Connections of one IPv4 address, or of one IPv6 /64 network': expect.stringContaining(`(${VARIABLES.MAX_CONNECTIONS_PER_ADDRESS.default})`),
    'Time to send the headers': seconds(SERVER_LIMITS.headersTimeoutMilliseconds),
    'Time to send the whole request': expect.stringMatching(`^${seconds(SERVER_LIMITS.requestTimeoutMilliseconds)}, and ${MIN_BYTES_PER_SECOND / 1024} KiB a second`),
    'Body': expect.stringContaining(`${grouped(MAX_BODY_BYTES)} bytes`),
  });
  const { text } = readDocument('docs/operations.md');
  expect(text).toContain(`keep-alive connection may be idle for ${SERVER_LIMITS.keepAliveTimeoutMilliseconds / MILLISECONDS_PER_SECOND} seconds`);
  expect(text).toContain(`if its network has ${MANY_REQUESTS} requests running`);
});

test('README.md states the defaults of the settings that it names', () => {
  const defaults = Object.fromEntries(Object.entries(VARIABLES).map(([name, variable]) => [name, variable.default ?? '–']));
  const stated = Object.fromEntries(tableRows(readDocument('README.md'), 'settings').map(([name = '', byDefault]) => [name, byDefault]));
  expect(defaults).toMatchObject(stated);
});

test.each([['attacks', ATTACKS], ['siege-checks', SIEGE_CHECKS]] as const)('siege.md lists the %s of the siege', (table, all) => {
  const stated = tableRows(readDocument('docs/siege.md'), table).map(([id = '', title = '']) => [id.replaceAll('`', ''), title]);
  expect(stated).toEqual(all.map(({ id, title }) => [id, title]));
});

test('browser.md lists the checks of the dashboard, and says which of them are tests', () => {
  const calls = globSync('tools/browser/test/*.test.ts', { cwd: projectRoot }).flatMap((path) => [...readFileSync(join(projectRoot, path), 'utf8').matchAll(/testChecks\(([\d, ]+)\)/gu)]);
  const tests = calls.flatMap(([, numbers = '']) => numbers.split(',').map(Number));
  const stated = tableRows(readDocument('docs/browser.md'), 'browser-checks').map(([number, title, where]) => [Number(number), title, where]);
  expect(stated).toEqual(CHECKS.toSorted((one, other) => one.number - other.number).map(({ number, title }) => [number, title, tests.includes(number) ? 'tests' : '']));
});

test('accounts.md states the lifetime of sessions', () => {
  const inWords = (milliseconds: number): string => {
    const [hours, days] = [milliseconds / MILLISECONDS_PER_HOUR, milliseconds / MILLISECONDS_PER_DAY];
    return Number.isInteger(days) ? `${days} days` : `${hours} hours`;
  };
  const lives = (['owner', 'operator'] as const).map((role) => {
    const { idleMilliseconds, absoluteMilliseconds } = sessionLifeOf(role);
    return [role, inWords(idleMilliseconds), inWords(absoluteMilliseconds)];
  });
  expect(tableRows(readDocument('docs/accounts.md'), 'session-lives')).toEqual(lives);
});

test('accounts.md states the lifetime of links', () => {
  const { 'verify-email': verify, 'reset-password': reset, invitation, 'confirm-change': confirm, 'change-email': change, 'confirm-sign-in': signIn, 'machine-sign-in': machine } = TOKEN_LIFETIMES;
  const units: Readonly<Record<string, number>> = { minute: MILLISECONDS_PER_MINUTE, hour: MILLISECONDS_PER_HOUR, day: MILLISECONDS_PER_DAY };
  const lives = tableRows(readDocument('docs/accounts.md'), 'link-lives').map(([, , life = '']) => {
    const [, count, unit = ''] = /^(\d+) (minute|hour|day)s?$/.exec(life) ?? [];
    return Number(count) * (units[unit] ?? Number.NaN);
  });
  expect(lives).toEqual([verify, reset, invitation, confirm, change, OPERATOR_LINK_MILLISECONDS, signIn, machine]);
});

test('accounts.md states the permitted attempts per minute and hour', () => {
  const bounds = tableRows(readDocument('docs/accounts.md'), 'attempt-bounds').map(([, minute, hour]) => [minute, hour]);
  expect(bounds).toEqual([NETWORK_BOUNDS, SUBJECT_BOUNDS].map((each) => each.map(({ most }) => String(most))));
});

test('accounts.md states the bounds of passwords and sessions', () => {
  const page = readFileSync(join(projectRoot, 'docs/accounts.md'), 'utf8');
  expect(page).toContain(`at most ${MAX_SESSIONS} sessions`);
  expect(page).toContain(`${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters`);
});

test('mail.md lists the messages with the placeholders of their texts', () => {
  const stated = tableRows(readDocument('docs/mail.md'), 'mail-texts').map(([file, , required = '', optional = '']) => [file, ...[required, optional].map((cell) => cell.split(', ').filter((name) => name !== ''))]);
  expect(stated).toEqual(MAIL_NAMES.map((name) => [`${name}.txt`, [...MAIL_PLACEHOLDERS[name].required], [...MAIL_PLACEHOLDERS[name].optional]]));
});
