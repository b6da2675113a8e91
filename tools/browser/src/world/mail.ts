import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dashboardLink, MILLISECONDS_PER_HOUR, Operators, SYSTEM_ACTOR } from '@tollgate/core';
import { until } from '../driver/wait.js';
import type { Resident, World } from './open-world.js';

/** All messages that the gateway of this folder has written, in the order of their files' names. */
export function messagesIn(folder: string): readonly string[] {
  const mail = join(folder, 'mail');
  if (!existsSync(mail)) return [];
  const names = readdirSync(mail).filter((name) => name.endsWith('.eml')).toSorted();
  return names.map((name) => readFileSync(join(mail, name), 'utf8'));
}

/** The newest link in a message to this address that leads to this page of the dashboard. */
export function mailedLink(world: World, email: string, page: string): Promise<string> {
  const pattern = new RegExp(`http://\\S+/dashboard/${page}#token=[A-Za-z0-9_-]+`);
  return until(`a message to ${email} with a link to ${page}`, () => {
    const links = messagesIn(world.folder).filter((message) => message.includes(email)).map((message) => pattern.exec(message)?.[0]).filter((link) => link !== undefined);
    return links.at(-1) ?? null;
  });
}

/** A link that signs in once, within an hour, as the first start prints it. */
export async function oneTimeLink({ gateway, clock }: World, { person }: Resident): Promise<string> {
  const token = await gateway.container.get(Operators).issueLink(person.id, { actor: SYSTEM_ACTOR, at: clock.now() }, MILLISECONDS_PER_HOUR);
  if (token === null) throw new Error('a link can be issued for a person who exists');
  return dashboardLink(gateway.publicUrl, 'link', token);
}
