import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { codeSpans, projectRoot, readDocument } from './documents.js';

const SOURCES = globSync('{packages,apps}/*/src/**/*.ts', { cwd: projectRoot, exclude: ['**/*.test.ts'] }).map((file) => readFileSync(join(projectRoot, file), 'utf8')).join('\n');

/** Matches a log line of at least four words, but no command, because commands contain hyphens or capitals. */
const SENTENCE = /^[a-z][a-z’' ;:,]*(?: [a-z’';:,]+){3,}$/u;

test.each([['docs/monitoring.md', 6], ['docs/mail.md', 8], ['docs/shop.md', 4], ['docs/payments.md', 1], ['docs/postgresql.md', 1]])('%s quotes log lines that exist', (path, atLeast) => {
  const document = readDocument(path);
  const quoted = [...codeSpans(document), ...[...document.text.matchAll(/"msg":"([^"]+)"/gu)].map(([, line = '']) => line)]
    .map((line) => line.replace(/; …$/u, '')).filter((line) => SENTENCE.test(line));
  expect(quoted.length).toBeGreaterThanOrEqual(atLeast);
  expect(quoted.filter((line) => !SOURCES.includes(line))).toEqual([]);
});
