import { createHmac } from 'node:crypto';
import { MILLISECONDS_PER_HOUR, SYSTEM_ACTOR } from '@tollgate/core';
import { dashboardLink, Operators } from '@tollgate/identity';
import { until } from '../driver/wait.js';
import { messagesIn } from '../record/delivered-mail.js';
import type { Resident, World } from './open-world.js';

/** Waits for mail to this address with a link to this page; resolves with the newest link. */
export function mailedLink(world: World, email: string, page: string): Promise<string> {
  const pattern = new RegExp(`http://\\S+/dashboard/${page}#token=[A-Za-z0-9_-]+`);
  return until(`a message to ${email} with a link to ${page}`, () => {
    const links = messagesIn(world.folder).filter((message) => message.includes(email)).map((message) => pattern.exec(message)?.[0]).filter((link) => link !== undefined);
    return links.at(-1) ?? null;
  });
}

export async function oneTimeLink({ gateway, clock }: World, { person }: Resident): Promise<string> {
  const token = await gateway.container.get(Operators).issueLink(person.id, { actor: SYSTEM_ACTOR, at: clock.now() }, MILLISECONDS_PER_HOUR);
  if (token === null) throw new Error('no link was issued: the person does not exist');
  return dashboardLink(gateway.publicUrl, 'link', token);
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const BITS = 5;
const STEP_MILLISECONDS = 30_000;
const DIGITS = 6;

function bytesOf(base32: string): Buffer {
  const bits = Array.from(base32, (letter) => ALPHABET.indexOf(letter).toString(2).padStart(BITS, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** The six-digit TOTP code (RFC 6238) at a time in milliseconds. */
export function codeOf(secret: string, at: number): string {
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(at / STEP_MILLISECONDS)));
  const hash = createHmac('sha1', bytesOf(secret)).update(step).digest();
  const offset = (hash.at(-1) ?? 0) & 0xf;
  return String((hash.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** DIGITS).padStart(DIGITS, '0');
}
