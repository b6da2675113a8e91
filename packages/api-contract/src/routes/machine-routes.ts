import { MACHINE_SCOPES } from '@tollgate/core';
import { z } from 'zod';
import { displayName, id, instant, text } from '../definition/field-schemas.js';
import { defineRoute } from '../definition/route-contract.js';

const MAX_OVERLAP_HOURS = 24;

const MAX_NETWORKS = 50;
const MAX_NETWORK_CHARACTERS = 64;

const scopes = z.array(z.enum(MACHINE_SCOPES));

export const machine = z.strictObject({
  id: id.describe('The id of the machine: `mach_…`.'),
  object: z.literal('machine').describe('The kind of object.'),
  name: z.string().describe('A name that tells it from other machines.'),
  hint: z.string().describe('The first and last characters of the current secret.'),
  status: z.enum(['active', 'expired', 'revoked']).describe('Whether its current secret is valid; `revoked` is permanent.'),
  scopes: scopes.readonly().describe('What the machine may do under `/admin/v1`.'),
  networks: z.array(z.string()).readonly().describe('CIDR ranges that it may call from; empty for all.'),
  created_at: instant.describe('When it was created.'),
  expires_at: instant.describe('When its current secret expires.'),
  previous_secret_expires_at: instant.nullable().describe('When the secret expires that the last rotation replaced, possibly past; `null` if there was no rotation.'),
  revoked_at: instant.nullable().describe('When it was revoked; `null` if it was not.'),
  last_used_at: instant.nullable().describe('When it last called, to the minute; `null` for never.'),
}).meta({ id: 'Machine', description: 'A credential of the operator for `/admin/v1`, without its secret.' });

const issuedMachine = machine.extend({ secret: z.string().describe('The new secret. Only this response contains it.') });

const params = z.strictObject({ id: id.describe('The id of the machine.') });
const expiresAt = instant.nullable().default(null).describe('When the secret expires, at most 365 days ahead; `null` for 90 days from now.');

export const machineRoutes = {
  listMachines: defineRoute({
    method: 'get', path: '/operator/machines', access: 'operator', summary: 'All machines, newest first, revoked ones included. Never secrets.',
    reply: z.strictObject({
      object: z.literal('list').describe('The kind of object.'),
      data: z.array(machine).readonly().describe('The machines.'),
      has_more: z.literal(false).describe('Always `false`: the list is complete.'),
      grantable_scopes: scopes.readonly().describe('Scopes that a new machine can have. `keys:write` is one of them with `ADMIN_KEYS=on` only.'),
    }),
  }),
  createMachine: defineRoute({
    method: 'post', path: '/operator/machines', access: 'operator', fresh: true, status: 201,
    summary: 'Creates a machine, a credential for `/admin/v1`. Only this response contains its secret.',
    body: z.strictObject({
      name: displayName.describe('A name that tells it from other machines.'),
      scopes: scopes.min(1).max(MACHINE_SCOPES.length).describe('What the machine may do under `/admin/v1`.'),
      networks: z.array(text(MAX_NETWORK_CHARACTERS)).max(MAX_NETWORKS).default([]).describe('Addresses and CIDR ranges that it may call from; empty for all.'),
      expires_at: expiresAt,
    }),
    reply: issuedMachine,
  }),
  rotateMachine: defineRoute({
    method: 'post', path: '/operator/machines/{id}/rotate', access: 'operator', fresh: true, status: 201,
    summary: 'Replaces the secret of a machine and begins a new lifetime. Only this response contains the new secret.',
    params,
    body: z.strictObject({
      overlap_hours: z.number().int().min(0).max(MAX_OVERLAP_HOURS).default(MAX_OVERLAP_HOURS)
        .describe('For how many hours the replaced secret stays valid, never beyond its own expiry; 0 stops it at once.'),
      expires_at: expiresAt,
    }),
    reply: issuedMachine,
  }),
  revokeMachine: defineRoute({
    method: 'post', path: '/operator/machines/{id}/revoke', access: 'operator', fresh: true, status: 204, summary: 'Revokes all secrets of a machine permanently.', params,
  }),
} as const;
