import { mkdir, rename, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { rfc3339 } from '@tollgate/core';
import type { MailFailure, MailOutcome, MailPicture, MailTransport, OutgoingMail } from '@tollgate/identity';
import { createTransport } from 'nodemailer';
import { errorOf, type MailFolderSettings, messageOptions } from './open-mail-transport.js';

const OWNER_ONLY_FOLDER = 0o700;
const OWNER_ONLY_FILE = 0o600;

/** The name consists of time and id, so that a listing shows the order of the messages, but no address. */
function fileNameOf({ id, storedAt }: OutgoingMail): string {
  return `${rfc3339(storedAt).replaceAll(/[-:.]/g, '')}-${id}.eml`;
}

/** The text part of a message, without transfer encoding, so that links can be copied from the file. */
function readablePart(text: string): string {
  return `Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${text}`;
}

/** Writes a file per message, which mail programs can read. For development, and for gateways without a mail server. */
export class MailFolder implements MailTransport {
  private readonly composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });

  constructor(private readonly settings: MailFolderSettings, private readonly picture: MailPicture | null = null) {}

  async deliver(mail: OutgoingMail): Promise<MailOutcome> {
    const { folder, from } = this.settings;
    const place = join(folder, fileNameOf(mail));
    try {
      const { message } = await this.composer.sendMail({ ...messageOptions(mail, from, this.picture), text: { raw: readablePart(mail.text) } });
      await mkdir(folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
      // The file is renamed when it is complete, since the process may die while it writes.
      const unfinished = `${place}.${randomBytes(6).toString('hex')}.tmp`;
      await writeFile(unfinished, message, { flag: 'wx', mode: OWNER_ONLY_FILE });
      await rename(unfinished, place);
      return { outcome: 'delivered', place };
    } catch (thrown) {
      return { outcome: 'failed', failure: failureOf(thrown) };
    }
  }

  async close(): Promise<void> {
    this.composer.close();
  }
}

function failureOf(thrown: unknown): MailFailure {
  const { code = 'unknown', message } = errorOf(thrown);
  return { code, explanation: message };
}
