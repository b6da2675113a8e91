import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { readMailTemplates } from './mail-templates.js';

let folder = '';
beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'tollgate-mail-templates-')); });
afterEach(() => rmSync(folder, { recursive: true }));

const write = (file: string, text: string) => writeFileSync(join(folder, file), text);

it('mail templates are read from files that are named after their messages', () => {
  write('test.txt', 'Subject: Hello\n\nIt works.');
  write('test.de.txt', 'Subject: Hallo\n\nEs geht.');
  write('.test.txt.swp', 'not read');
  expect(readMailTemplates(folder)).toEqual({ templates: new Map([['test.de', { subject: 'Hallo', paragraphs: ['Es geht.'] }], ['test', { subject: 'Hello', paragraphs: ['It works.'] }]]) });
});

it('the errors name every unusable file in the folder of templates', () => {
  write('invitation.txt', 'Subject: Hello\n\nHello');
  write('reset_password.txt', 'Subject: Hello\n\n{{link}}');
  write('test.txt', `Subject: Hello\n\n${'x'.repeat(70_000)}`);
  expect(readMailTemplates(folder)).toEqual({
    problems: ['invitation.txt lacks {{link}} in its text', expect.stringMatching(/^reset_password\.txt replaces no message; the names are verify-address\.txt, /), 'test.txt has more than 64 KiB'],
  });
});

it('a folder of templates that cannot be read is reported', () => {
  mkdirSync(join(folder, 'test.txt'));
  for (const path of [join(folder, 'missing'), folder]) expect(readMailTemplates(path)).toEqual({ problems: [expect.stringMatching(/^cannot be read: /)] });
});
