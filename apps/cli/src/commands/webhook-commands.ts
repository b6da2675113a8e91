import { EVENT_TYPES, type EventId, type EventType, type Instant, PAGE_SIZES, rfc3339, type Webhook, type WebhookDelivery, type WebhookId } from '@tollgate/core';
import type { IssuedWebhook, WebhookName } from '@tollgate/identity';
import { encodeWebhook, encodeWebhookDelivery } from '@tollgate/wire-kit';
import type { Command } from 'commander';
import { type CommandRuntime, YES_OPTION } from '../program/command-runtime.js';
import type { OperatorSession } from '../program/operator-session.js';
import { eventTypesValue, pageSizeOption, pastTimeValue, type TimeValue } from '../program/option-values.js';
import { withFormerNames } from '../program/former-names.js';
import { asFailure, CommandFailure, misuse } from '../program/command-failure.js';
import { type Cell, type Report, shortened, table, tableOr, time } from '../program/report.js';

const WEBHOOK_ARGUMENT = ['<webhook>', 'its id (hook_…)'] as const;

interface CreateOptions { readonly types?: readonly EventType[]; readonly description?: string }
interface DeliveriesOptions { readonly limit: number; readonly cursor?: string }
interface ResendOptions { readonly from?: TimeValue; readonly event?: string }

type CreateAction = [url: string, options: CreateOptions, command: Command];
type DeliveriesAction = [webhook: string, options: DeliveriesOptions, command: Command];
type ResendAction = [webhook: string, options: ResendOptions, command: Command];
type WebhookAction = [webhook: string, options: unknown, command: Command];

export function addWebhookCommands(program: Command, runtime: CommandRuntime): void {
  const webhooks = program.command('webhooks').description('addresses of your own programs to which events of all accounts are sent');
  webhooks.command('create').description('create a webhook; its secret is shown once')
    .argument('<url>', 'where events are sent')
    .option('--types <types>', `only these types, separated by commas: ${EVENT_TYPES.join(', ')} (default: all)`, eventTypesValue)
    .option('--description <text>', 'a note for people')
    .action((...[url, options, command]: CreateAction) => runtime.perform(command, (session) => createWebhook(session, url, options)));
  webhooks.command('list').description('all webhooks of operators, newest first').action((_options: unknown, command: Command) => runtime.perform(command, listWebhooks));
  webhooks.command('rotate').description('replace the secret of a webhook; the old one signs too for 24 hours').argument(...WEBHOOK_ARGUMENT)
    .action((...[webhook, , command]: WebhookAction) => runtime.perform(command, (session) => rotateWebhook(session, webhook)));
  webhooks.command('delete').description('delete a webhook and its deliveries').argument(...WEBHOOK_ARGUMENT).option(...YES_OPTION)
    .action(async (...[webhook, , command]: WebhookAction) => {
      await runtime.confirm(command, `Webhook ${webhook} receives nothing any more, and its deliveries are deleted.`);
      await runtime.perform(command, (session) => deleteWebhook(session, webhook));
    });
  webhooks.command('test').description('send an event webhook.test to a webhook').argument(...WEBHOOK_ARGUMENT)
    .action((...[webhook, , command]: WebhookAction) => runtime.perform(command, (session) => testWebhook(session, webhook)));
  withFormerNames(webhooks.command('deliveries').description('deliveries of the last 30 days, newest first').argument(...WEBHOOK_ARGUMENT)
    .option('--cursor <text>', 'continue where an earlier list ended').option(...pageSizeOption(PAGE_SIZES.webhookDeliveries.commandLine)), runtime, { after: 'cursor' })
    .action((...[webhook, options, command]: DeliveriesAction) => runtime.perform(command, (session) => listDeliveries(session, webhook, options)));
  withFormerNames(webhooks.command('resend').description('send events again; enables a disabled webhook').argument(...WEBHOOK_ARGUMENT)
    .option('--from <when>', 'all events that were not delivered, at or after a day, a time, or a span back from now such as 2h', pastTimeValue)
    .option('--event <event>', 'one event, by its id (evt_…)'), runtime, { since: 'from' })
    .action((...[webhook, options, command]: ResendAction) => runtime.perform(command, (session) => resendWebhook(session, webhook, options)));
}

function nameOf(id: string): WebhookName {
  return { owner: null, id: id as WebhookId };
}

function noSuchWebhook(id: string): CommandFailure {
  return new CommandFailure(`there is no webhook ${id} of operators; \`tollgate webhooks list\` shows them`);
}

async function createWebhook(session: OperatorSession, url: string, { types, description = '' }: CreateOptions): Promise<Report> {
  return reportIssued(await asFailure(session.webhooks.create({ owner: null, url, types: types ?? null, description }, session.act())), 'was created');
}

async function rotateWebhook(session: OperatorSession, id: string): Promise<Report> {
  const issued = await asFailure(session.webhooks.rotate(nameOf(id), session.act()));
  if (issued === null) throw noSuchWebhook(id);
  return reportIssued(issued, 'has a new secret');
}

async function listWebhooks({ webhooks }: OperatorSession): Promise<Report> {
  const all = await webhooks.list(null);
  return {
    json: { webhooks: all.map(encodeWebhook) },
    lines: all.length === 0 ? ['There is no webhook of operators. `tollgate webhooks create URL` creates one.'] : table(['ID', 'URL', 'TYPES', 'STATUS', 'FAILING SINCE'], all.map(cellsOf)),
  };
}

function cellsOf({ id, url, types, disabled, failingSince }: Webhook): readonly Cell[] {
  return [id, shortened(url), types === null ? 'all' : types.join(','), disabled === null ? 'active' : `disabled (${disabled.reason})`, time(failingSince)];
}

async function deleteWebhook(session: OperatorSession, id: string): Promise<Report> {
  if (!await session.webhooks.delete(nameOf(id), session.act())) throw noSuchWebhook(id);
  return { json: { id, deleted: true }, lines: [`Webhook ${id} is deleted.`] };
}

async function testWebhook(session: OperatorSession, id: string): Promise<Report> {
  const eventId = await session.webhooks.test(nameOf(id), session.act());
  if (eventId === null) throw new CommandFailure(`there is no webhook ${id} of operators, or it is disabled`);
  return { json: { id, event_id: eventId }, lines: [`The event ${eventId} is queued; \`tollgate webhooks deliveries ${id}\` shows what becomes of it.`] };
}

async function listDeliveries({ webhooks }: OperatorSession, id: string, { limit, cursor }: DeliveriesOptions): Promise<Report> {
  if (await webhooks.find(nameOf(id)) === null) throw noSuchWebhook(id);
  const page = await webhooks.deliveries(nameOf(id), { limit, after: cursor ?? null });
  if (page === null) throw misuse('option \'--cursor <text>\' is not a cursor of these deliveries');
  return {
    json: { deliveries: page.deliveries.map(encodeWebhookDelivery), next_cursor: page.next },
    lines: [...tableOr('There is no delivery of the last 30 days.', ['QUEUED', 'EVENT', 'TYPE', 'STATUS', 'ATTEMPTS', 'LAST'], page.deliveries.map(deliveryCells)), ...(page.next === null ? [] : [`There are more: --cursor ${page.next}`])],
  };
}

function deliveryCells({ createdAt, eventId, type, state, attempts, lastAttempt }: WebhookDelivery): readonly Cell[] {
  const last = lastAttempt === null ? '' : lastAttempt.failure ?? `${lastAttempt.status ?? ''} in ${lastAttempt.milliseconds} ms`;
  return [time(createdAt), eventId, type, state, String(attempts), last];
}

async function resendWebhook(session: OperatorSession, id: string, { from, event }: ResendOptions): Promise<Report> {
  const act = session.act();
  if ((from === undefined) === (event === undefined)) throw misuse('exactly one of the options --from and --event is needed');
  const since: Instant | null = from === undefined ? null : from(act.at);
  const outcome = await session.webhooks.resend(nameOf(id), since === null ? { eventId: (event ?? '') as EventId } : { since }, act);
  if (outcome === 'no-such-webhook') throw noSuchWebhook(id);
  if (outcome === 'no-such-event') throw new CommandFailure(`there is no event ${event ?? ''}, or it belongs to another account than the webhook`);
  return { json: { id, queued: true }, lines: [`Webhook ${id} receives ${since === null ? 'the event' : `what it has not received since ${rfc3339(since)}`} again.`] };
}

function reportIssued({ webhook, secret }: IssuedWebhook, what: string): Report {
  return { json: { webhook: { ...encodeWebhook(webhook), secret } }, lines: [`Webhook ${webhook.id} ${what}. The secret is shown only once and cannot be recovered:`, secret] };
}
