import { common } from '#texts/common';
import { webhooks as texts } from '#texts/webhooks';
import type { RequestBody } from '../../api/call';
import type { Side } from './side';
import type { EventType, Webhook } from './webhook';

type Whose = Side['whose'];
export type Group = keyof typeof texts.groups;

export interface WebhookFields {
  readonly url: string;
  readonly description: string;
  readonly all: boolean;
  readonly types: readonly EventType[];
}

export const EMPTY_FIELDS: WebhookFields = { url: '', description: '', all: true, types: [] };

/** Form fields by their names in the contract. */
export const PARAMS = { url: 'url', types: 'types', description: 'description' } as const;

const WORDS: Readonly<Record<EventType, string>> = texts.events;
const TYPES = Object.keys(WORDS) as readonly EventType[];

function groupOf(type: EventType): Group {
  const [area = ''] = type.split('.');
  return area in texts.groups ? area as Group : 'platform';
}

/** Owners get no events of the platform. */
export function typesOf(group: Group, whose: Whose): readonly EventType[] {
  return whose === 'owner' && group === 'platform' ? [] : TYPES.filter((type) => groupOf(type) === group);
}

function urlFault(typed: string, whose: Whose): string | null {
  const text = typed.trim();
  if (text === '') return common.fieldRequired;
  const url = URL.canParse(text) ? new URL(text) : null;
  const protocols = whose === 'owner' ? ['https:'] : ['https:', 'http:'];
  if (url === null || !protocols.includes(url.protocol)) return texts.form.urlInvalid[whose];
  if (url.username !== '' || url.password !== '') return texts.form.urlCredentials;
  return url.hash === '' ? null : texts.form.urlFragment;
}

export function faultsOf({ url, all, types }: WebhookFields, whose: Whose): { readonly [name in keyof WebhookFields]?: string } {
  const fault = urlFault(url, whose);
  return { ...(fault === null ? {} : { url: fault }), ...(!all && types.length === 0 ? { types: texts.form.typesMissing } : {}) };
}

export function fieldsOf({ url, description, types }: Pick<Webhook, 'url' | 'description' | 'types'>): WebhookFields {
  return { url, description, all: types === null, types: types ?? [] };
}

export function bodyOf({ url, description, all, types }: WebhookFields): RequestBody<'createWebhook'> & RequestBody<'changeWebhook'> {
  return { url: url.trim(), description: description.trim(), types: all ? null : [...types] };
}

/** Converts a `datetime-local` value; `null` unless it is in the past. */
export function sinceOf(local: string, now: Date): string | null {
  const at = new Date(local);
  return at.getTime() < now.getTime() ? at.toISOString() : null;
}
