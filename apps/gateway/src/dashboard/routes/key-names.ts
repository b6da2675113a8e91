import type { AccountId, ApiKeyId, KeyLabel } from '@tollgate/core';
import { contract, type ReplyOf } from '@tollgate/api-contract';
import { type DashboardEndpoint, endpoint } from '../call/dashboard-endpoint.js';
import type { DashboardPorts } from '../call/dashboard-ports.js';

const FOUND_KEYS = 20;

function encodeLabels(labels: readonly KeyLabel[]): ReplyOf<typeof contract.nameKeys> {
  return { object: 'list', data: labels.map(({ id, name, hint }) => ({ id, object: 'key_name', name, hint })), has_more: false };
}

/** Ids in a comma-separated list, without duplicates. */
export function idsIn(text: string): readonly string[] {
  return [...new Set(text.split(','))];
}

/** Endpoints that return names for key ids in usage and activity, including keys too old for the lists. */
export function keyNameEndpoints({ administration: { lookups } }: DashboardPorts): readonly DashboardEndpoint[] {
  return [
    endpoint(contract.nameKeys)(async ({ visitor: { account }, query: { ids } }) => encodeLabels(await lookups.keyLabels(idsIn(ids) as ApiKeyId[], account.id))),
    endpoint(contract.findKeys)(async ({ visitor: { account }, query: { q } }) => encodeLabels(await lookups.findKeys({ accountId: account.id, text: q.trim(), limit: FOUND_KEYS }))),
    endpoint(contract.findAnyKeys)(async ({ query: { q, account } }) => encodeLabels(await lookups.findKeys({ accountId: account === undefined ? null : account as AccountId, text: q.trim(), limit: FOUND_KEYS }))),
    endpoint(contract.nameAnyKeys)(async ({ query: { ids } }) => encodeLabels(await lookups.keyLabels(idsIn(ids) as ApiKeyId[], null))),
  ];
}
