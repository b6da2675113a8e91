import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MAIL_NAMES } from '@tollgate/identity';
import { MailServer, type MailServerOptions, parseMail } from '@tollgate/testkit/mail-server';
import { TollgateFolder } from '../test-support/tollgate-run.js';

describe('mail test', () => {
  let folder: TollgateFolder;
  let server: MailServer | null = null;
  beforeEach(() => {
    folder = new TollgateFolder();
  });
  afterEach(async () => {
    await server?.close();
    server = null;
    folder.remove();
  });

  async function serve(options: Partial<MailServerOptions> = {}): Promise<MailServer> {
    server = await MailServer.start({ security: 'none', ...options });
    Object.assign(folder.environment, { SMTP_HOST: '127.0.0.1', SMTP_PORT: String(server.port), SMTP_SECURITY: 'none', MAIL_FROM: 'Tollgate <tollgate@example.test>' });
    return server;
  }

  it('sends one message to the mail server and confirms that it was accepted', async () => {
    const { port, mails } = { port: (await serve()).port, mails: () => server?.mails() };
    expect(await folder.run('mail', 'test', '--to', 'ada@example.test')).toEqual({
      exitCode: 0, out: `127.0.0.1:${port} accepted the message. Only its recipient can tell whether it arrives.\n`, error: '',
    });
    expect(await mails()).toMatchObject([{ to: 'ada@example.test', subject: 'Test message from Tollgate' }]);
  });

  it('writes the message to a file below the working folder if no mail server is configured', async () => {
    const { kind, place } = await folder.json<{ kind: string; place: string }>('mail', 'test', '--to', 'ada@example.test');
    expect([kind, readdirSync(join(folder.path, 'data', 'mail')).map((name) => join(folder.path, 'data', 'mail', name))]).toEqual(['folder', [place]]);
    expect(await parseMail(readFileSync(place, 'utf8'))).toMatchObject({ to: 'ada@example.test' });
    expect((await folder.run('mail', 'test', '--to', 'ada@example.test')).out).toMatch(/^The message is written to \/.*\.eml, since SMTP_HOST is not set\.\n$/);
  });

  it("prints the server's refusal and exits with 1", async () => {
    await serve({ refuseRecipient: () => ({ code: 550, text: '5.1.1 No such user here' }) });
    const { exitCode, out, error } = await folder.run('mail', 'test', '--to', 'ada@example.test');
    expect([exitCode, out]).toEqual([1, '']);
    expect(error).toMatch(/^error: the message was not delivered \(550 5\.1\.1\): .*5\.1\.1 No such user here\n$/);
  });

  it('prints why the mail server cannot be used, without the password', async () => {
    await serve({ credentials: { user: 'gateway', password: 'hunter2' } });
    Object.assign(folder.environment, { SMTP_USER: 'gateway', SMTP_PASSWORD: 'swordfish' });
    const refused = await folder.run('mail', 'test', '--to', 'ada@example.test');
    expect([refused.exitCode, refused.error]).toEqual([1, expect.stringMatching(/^error: the message was not delivered \(535\): /)]);
    expect(refused.error).not.toContain('swordfish');
    await server?.close();
    server = null;
    expect((await folder.run('mail', 'test', '--to', 'ada@example.test')).error).toMatch(/^error: the message was not delivered \(ECONNREFUSED\): /);
  });

  it.each([
    [['--to', 'ada'], "error: option '--to <address>' argument 'ada' is invalid. It must be one e-mail address.\n"],
    [[], "error: required option '--to <address>' not specified\n"],
  ])('exits with 2 for %j', async (options, error) => {
    expect(await folder.run('mail', 'test', ...options)).toEqual({ exitCode: 2, out: '', error });
  });
});

describe('mail preview', () => {
  let folder: TollgateFolder;
  beforeEach(() => {
    folder = new TollgateFolder();
    mkdirSync(join(folder.path, 'texts'));
    Object.assign(folder.environment, { BRAND_NAME: 'Acme AI', PUBLIC_URL: 'https://api.example.com', MAIL_TEMPLATES: join(folder.path, 'texts') });
    writeFileSync(join(folder.path, 'texts', 'invitation.txt'), 'Subject: Join {{product}}\n\nOpen this:\n\n{{link}}');
  });
  afterEach(() => folder.remove());

  it('prints one message with the text of its template file', async () => {
    expect((await folder.run('mail', 'preview', 'invitation')).out)
      .toBe('== invitation, from MAIL_TEMPLATES\nSubject: Join Acme AI\n\nOpen this:\n\nhttps://api.example.com/dashboard/invite#token=EXAMPLE\n');
  });

  it('writes each message as a file with the operator\'s colours and logo', async () => {
    writeFileSync(join(folder.path, 'logo.png'), Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64'));
    Object.assign(folder.environment, { BRAND_ACCENT: '#c2255c', BRAND_LOGO: 'logo.png' });
    const { out } = await folder.run('mail', 'preview', '--output', 'preview');
    expect(out).toContain('== invitation, from MAIL_TEMPLATES');
    const files = readdirSync(join(folder.path, 'preview'));
    expect(files.map((name) => /Z-(.*)\.eml$/.exec(name)?.[1] ?? '').toSorted((a, b) => a.localeCompare(b))).toEqual([...MAIL_NAMES].toSorted((a, b) => a.localeCompare(b)));
    const mails = await Promise.all(files.map((name) => parseMail(readFileSync(join(folder.path, 'preview', name), 'utf8'))));
    expect(mails.filter(({ html }) => !html.includes('src="data:image/png;base64,iVBORw0KGgo'))).toEqual([]);
    expect(mails.filter(({ html }) => html.includes('class="act"') && !html.includes('background:#c2255c'))).toEqual([]);
  });

  it('prints every message', async () => {
    const { data } = await folder.json<{ data: { name: string; replaced: boolean; subject: string; text: string }[] }>('mail', 'preview');
    expect(data.map(({ name }) => name)).toEqual(MAIL_NAMES);
    expect(data.filter(({ replaced }) => replaced).map(({ name }) => name)).toEqual(['invitation']);
    expect(data.filter(({ subject, text }) => subject === '' || text.trim() === '' || text.includes('{{') || text.includes('Tollgate'))).toEqual([]);
  });

  it('prints every message in the language that --language names', async () => {
    const { data } = await folder.json<{ data: { name: string; subject: string; text: string }[] }>('mail', 'preview', '--language', 'de');
    expect(data.find(({ name }) => name === 'reset-password')?.subject).toBe('Setzen Sie Ihr Passwort zurück');
    expect(data.filter(({ name, text }) => name !== 'invitation' && /\b(?:the|your|is|are|and|of)\b/.test(text))).toEqual([]);
    expect(data.filter(({ text }) => text.includes('{{') || text.includes('Tollgate'))).toEqual([]);
  });

  it('refuses the name of an unknown message, and a template that lacks the required link', async () => {
    expect((await folder.run('mail', 'preview', 'newsletter')).error).toMatch(/^error: there is no message newsletter; the messages are verify-address, /);
    writeFileSync(join(folder.path, 'texts', 'invitation.txt'), 'Subject: Join\n\nHello');
    expect(await folder.run('mail', 'preview')).toMatchObject({ exitCode: 2, error: 'error: MAIL_TEMPLATES: invitation.txt lacks {{link}} in its text\n' });
  });
});
