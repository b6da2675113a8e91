import {
  type AuditedBy, checkFields, EVENT_TYPES, type EventId, type EventType, type FieldProblem, GatewayError, isDisplayName, later, MAX_DISPLAY_NAME, MILLISECONDS_PER_DAY, refuseField, type Webhook, type WebhookOwner,
} from '@tollgate/core';
import type { SecretSealer } from '../factors/secret-sealer.js';
import type { IdentityIdGenerator } from '../tokens/identity-id-generator.js';
import type { WebhookChange, WebhookDeliveryPage, WebhookName, WebhookRecords, WebhookResend } from './webhook-records.js';
import type { WebhookTargets, WebhookUrlProblem } from './webhook-targets.js';

export const MAX_OPERATOR_WEBHOOKS = 20;
/** Maximum number of webhooks of one account. */
export const MAX_OWNER_WEBHOOKS = 5;
/** Time after a rotation for which the replaced secret also signs. */
export const WEBHOOK_OVERLAP_MILLISECONDS = MILLISECONDS_PER_DAY;
export const MAX_WEBHOOK_URL_CHARACTERS = 2_000;

export interface WebhooksParts {
  readonly records: WebhookRecords;
  readonly ids: Pick<IdentityIdGenerator, 'webhookId' | 'webhookSecret'>;
  /** `null` without the installation's secret: no webhook can be created. */
  readonly sealer: SecretSealer | null;
  readonly targets: WebhookTargets;
}

export interface CreateWebhook {
  readonly owner: WebhookOwner;
  readonly url: string;
  /** `null` for all types. */
  readonly types: readonly EventType[] | null;
  readonly description: string;
}

/** A webhook and its secret, which can be read only here. */
export interface IssuedWebhook {
  readonly webhook: Webhook;
  readonly secret: string;
}

const URL_PROBLEMS: Readonly<Record<WebhookUrlProblem, FieldProblem>> = {
  'must be an https:// address': { code: 'url_scheme' },
  'must have no user name and no password': { code: 'url_credentials' },
  'must have no part after #': { code: 'url_fragment' },
  'must be a public address on the internet': { code: 'url_private' },
};

function requireDescription(description: string | undefined): void {
  if (description === undefined || description === '' || isDisplayName(description)) return;
  throw refuseField('description', `must be one line of at most ${MAX_DISPLAY_NAME} characters`, { code: 'not_a_name', maximum: MAX_DISPLAY_NAME });
}

function requireTypes(types: readonly EventType[] | null | undefined): void {
  if (types?.length === 0) throw refuseField('types', 'must name at least one type, or be null for all', { code: 'too_few', minimum: 1 });
}

/** Addresses of operators and owners to which events are sent. Secrets are stored only sealed. */
export class Webhooks {
  constructor(private readonly parts: WebhooksParts) {}

  /** Throws `invalid_request` that names the field, `conflict` if there are too many, and `service_unavailable` without the installation's secret. */
  async create({ owner, url, types, description }: CreateWebhook, by: AuditedBy): Promise<IssuedWebhook> {
    const change = await this.checked({ url, types, description }, owner);
    const { ids, records } = this.parts;
    const webhook: Webhook = {
      id: ids.webhookId(), owner, url, types: change.types ?? null, description, createdAt: by.at, previousSecretExpiresAt: null, disabled: null, failingSince: null,
    };
    const secret = ids.webhookSecret();
    const maximum = owner === null ? MAX_OPERATOR_WEBHOOKS : MAX_OWNER_WEBHOOKS;
    const outcome = await records.create({ webhook, sealedSecret: this.seal(secret, webhook.id), maximum }, by);
    if (outcome === 'too-many') throw new GatewayError('conflict', `There are ${maximum} webhooks, the maximum. Delete one first.`);
    return { webhook, secret };
  }

  /** The owner's webhooks, newest first. */
  list(owner: WebhookOwner): Promise<readonly Webhook[]> {
    return this.parts.records.list(owner);
  }

  find(name: WebhookName): Promise<Webhook | null> {
    return this.parts.records.find(name);
  }

  /** `null` if there is no such webhook. Throws `invalid_request` that names the field. */
  async change(name: WebhookName, change: WebhookChange, by: AuditedBy): Promise<Webhook | null> {
    return this.parts.records.change(name, await this.checked(change, name.owner), by);
  }

  /**
   * Issues a new secret; the replaced one also signs for 24 hours. `null` if there is no such webhook. Throws `service_unavailable` as `create` does.
   */
  async rotate(name: WebhookName, by: AuditedBy): Promise<IssuedWebhook | null> {
    const secret = this.parts.ids.webhookSecret();
    const previousExpiresAt = later(by.at, WEBHOOK_OVERLAP_MILLISECONDS);
    const webhook = await this.parts.records.rotate(name, { sealedSecret: this.seal(secret, name.id), previousExpiresAt }, by);
    return webhook === null ? null : { webhook, secret };
  }

  /** False if there is no such webhook. */
  delete(name: WebhookName, by: AuditedBy): Promise<boolean> {
    return this.parts.records.delete(name, by);
  }

  /** Queues an event `webhook.test`; `null` if there is no such webhook or it is disabled. */
  test(name: WebhookName, by: AuditedBy): Promise<EventId | null> {
    return this.parts.records.test(name, by);
  }

  /** Sends events again, and enables a disabled webhook. */
  resend(name: WebhookName, resend: WebhookResend, by: AuditedBy): Promise<'queued' | 'no-such-webhook' | 'no-such-event'> {
    return this.parts.records.resend(name, resend, by);
  }

  /** Newest first; `null` if there is no such webhook or the cursor is malformed. */
  deliveries(name: WebhookName, page: { readonly limit: number; readonly after: string | null }): Promise<WebhookDeliveryPage | null> {
    return this.parts.records.deliveries(name, page);
  }

  private async checked(change: WebhookChange, owner: WebhookOwner): Promise<WebhookChange> {
    const { url, types, description } = change;
    await checkFields(() => url === undefined || this.checkUrl(url, owner), () => requireDescription(description), () => requireTypes(types));
    return types === undefined || types === null ? change : { ...change, types: EVENT_TYPES.filter((type) => types.includes(type)) };
  }

  private checkUrl(url: string, owner: WebhookOwner): void {
    const maximum = MAX_WEBHOOK_URL_CHARACTERS;
    if (url.length > maximum) throw refuseField('url', `must have at most ${maximum} characters`, { code: 'too_long', maximum });
    const problem = this.parts.targets.problemOf(url, owner);
    if (problem !== null) throw refuseField('url', problem, URL_PROBLEMS[problem]);
  }

  private seal(secret: string, id: string): string {
    const { sealer } = this.parts;
    if (sealer === null) throw new GatewayError('service_unavailable', 'Webhooks need the secret of the installation, which its operator has not set.');
    return sealer.seal(Uint8Array.from(secret, (character) => character.charCodeAt(0)), id);
  }
}
