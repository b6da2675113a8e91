import { expect, it } from '@jest/globals';
import { findSecrets, type TracePlace, RunRecord, type Trace } from './run-record.js';

const PASSWORD = 'correct "horse" battery';
const CODES_FILE = 'tollgate-recovery-codes.txt';

function recordWith(...texts: readonly (readonly [place: TracePlace, name: string, text: Trace['text']])[]): RunRecord {
  const record = new RunRecord();
  record.addSecret('password', PASSWORD);
  record.addSecret('recovery code', '7k2hv-9qx4d');
  for (const [place, name, text] of texts) record.addTrace({ place, name, text });
  return record;
}

it.each([
  ['unencoded', `the password is ${PASSWORD}.`],
  ['in a URL', `https://localhost/?p=${encodeURIComponent(PASSWORD)}`],
  ['in a form', new URLSearchParams({ p: PASSWORD }).toString()],
  ['in JSON', JSON.stringify({ p: PASSWORD })],
  ['in base64', `Basic ${Buffer.from(PASSWORD).toString('base64')}`],
  ['in base64, one byte after the beginning', Buffer.from(`:${PASSWORD}:`).toString('base64')],
  ['in base64, two bytes after the beginning', Buffer.from(`a:${PASSWORD} and more`).toString('base64')],
  ['at the end of bytes', Buffer.from(`\0${PASSWORD}`)],
])('a secret is found %s', (_, text) => {
  expect(findSecrets(recordWith(['log', 'a log', text]))).toEqual(['password in log: a log']);
});

it('text that only resembles a secret is ignored, and a secret is reported once for each place', () => {
  expect(findSecrets(recordWith(['log', 'a log', PASSWORD.slice(0, -1)], ['log', 'a log', PASSWORD.slice(1)]))).toEqual([]);
  expect(findSecrets(recordWith(['cookie', 'a page', PASSWORD], ['cookie', 'a page', `${PASSWORD} again`]))).toEqual(['password in cookie: a page']);
});

it('recovery codes may be in their own file, passwords may not', () => {
  expect(findSecrets(recordWith(['download', CODES_FILE, '7k2hv-9qx4d']))).toEqual([]);
  expect(findSecrets(recordWith(['download', 'usage.csv', '7k2hv-9qx4d'], ['download', CODES_FILE, PASSWORD]))).toEqual(['recovery code in download: usage.csv', `password in download: ${CODES_FILE}`]);
});
