import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { anOutgoingMail, mailTransportContract } from '@tollgate/testkit';
import { parseMail, type ReceivedMail } from '@tollgate/testkit/mail-server';
import { MailFolder } from './mail-folder.js';

const FROM = { name: 'Tollgate', address: 'tollgate@gateway.example.test' };

function mailsIn(folder: string): Promise<readonly ReceivedMail[]> {
  return Promise.all(readdirSync(folder).toSorted().map((name) => parseMail(readFileSync(join(folder, name), 'utf8'))));
}

mailTransportContract('folder', async (picture) => {
  const place = mkdtempSync(join(tmpdir(), 'tollgate-mail-'));
  const folder = join(place, 'mail');
  return {
    transport: new MailFolder({ kind: 'folder', folder, from: FROM }, picture),
    received: () => mailsIn(folder),
    close: async () => rmSync(place, { recursive: true }),
  };
});

describe('MailFolder', () => {
  let place = '';
  beforeEach(() => {
    place = mkdtempSync(join(tmpdir(), 'tollgate-mail-'));
  });
  afterEach(() => rmSync(place, { recursive: true }));

  it('writes each message to a private file, named by time and id, in a private folder', async () => {
    const folder = join(place, 'data', 'mail');
    const outcome = await new MailFolder({ kind: 'folder', folder, from: FROM }).deliver(anOutgoingMail(1));
    expect(readdirSync(folder)).toEqual(['20261118T120001000Z-mail_1.eml']);
    expect(outcome).toEqual({ outcome: 'delivered', place: join(folder, '20261118T120001000Z-mail_1.eml') });
    expect([folder, join(folder, '20261118T120001000Z-mail_1.eml')].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o600]);
    expect(readFileSync(join(folder, '20261118T120001000Z-mail_1.eml'), 'utf8')).toMatch(/^From: .*\r\n/m);
  });

  it('writes a link on one line, so that it can be copied', async () => {
    const link = `https://api.example.com/dashboard/verify#token=${'x'.repeat(43)}`;
    await new MailFolder({ kind: 'folder', folder: place, from: FROM }).deliver(anOutgoingMail(1, { text: `Grüße\n\n${link}\n` }));
    expect(readFileSync(join(place, '20261118T120001000Z-mail_1.eml'), 'utf8').split('\r\n')).toContain(link);
  });

  it('replaces an incomplete file when its message is delivered again', async () => {
    const transport = new MailFolder({ kind: 'folder', folder: place, from: FROM });
    await transport.deliver(anOutgoingMail(1));
    writeFileSync(join(place, '20261118T120001000Z-mail_1.eml'), 'half of i');
    await transport.deliver(anOutgoingMail(1));
    expect(await mailsIn(place)).toEqual([expect.objectContaining({ subject: 'Grüße 1' })]);
  });

  it('reports the reason for an unusable folder', async () => {
    writeFileSync(join(place, 'taken'), '');
    const outcome = await new MailFolder({ kind: 'folder', folder: join(place, 'taken'), from: FROM }).deliver(anOutgoingMail(1));
    expect(outcome).toMatchObject({ outcome: 'failed', failure: { code: 'EEXIST' } });
  });
});
