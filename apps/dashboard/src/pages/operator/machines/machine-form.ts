import { common } from '#texts/common';
import { machines as texts } from '#texts/machines';
import type { RequestBody } from '../../../api/call';
import { DAY, endOfDay, isFutureDay } from '../../../format/day';
import { numberOf } from '../../../format/number';
import type { Scope } from './machine';
import { isNetwork } from './network-text';

export type Expiry = keyof typeof texts.form.expiries;

export interface ExpiryFields {
  readonly expiry: Expiry;
  /** UTC day, used if the expiry is a date. */
  readonly day: string;
}

export interface MachineFields extends ExpiryFields {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** One per line. */
  readonly networks: string;
}

export interface RotationFields extends ExpiryFields {
  /** Hours for which the replaced secret stays valid. */
  readonly overlap: `${keyof typeof texts.rotate.overlaps}`;
}

type Faults<Fields> = { readonly [name in keyof Fields]?: string };

const DAYS = { month: 30, half: 180 } as const;
export const MAX_DAYS = 365;
const MAX_NETWORKS = 50;

/** Form fields by their names in the contract. */
export const PARAMS = { name: 'name', scopes: 'scopes', networks: 'networks', expires_at: 'expiry', overlap_hours: 'overlap' } as const;

export const EMPTY_FIELDS: MachineFields = { name: '', scopes: [], networks: '', expiry: 'quarter', day: '' };
export const EMPTY_ROTATION: RotationFields = { overlap: '24', expiry: 'quarter', day: '' };

export function expiryFaults({ expiry, day }: ExpiryFields, now: Date): Faults<ExpiryFields> {
  return expiry === 'day' && !isFutureDay(day, now, MAX_DAYS) ? { day: texts.form.dayInvalid } : {};
}

function networksFault(typed: string): string | null {
  const wrong = typed.split('\n').findIndex((line) => line.trim() !== '' && !isNetwork(line.trim()));
  if (wrong !== -1) return texts.form.networkInvalid(wrong + 1);
  return networksOf(typed).length > MAX_NETWORKS ? texts.form.networksTooMany(MAX_NETWORKS) : null;
}

export function faultsOf(fields: MachineFields, now: Date): Faults<MachineFields> {
  const networks = networksFault(fields.networks);
  return {
    ...(fields.name.trim() === '' ? { name: common.fieldRequired } : {}),
    ...(fields.scopes.length === 0 ? { scopes: texts.form.scopesMissing } : {}),
    ...(networks === null ? {} : { networks }),
    ...expiryFaults(fields, now),
  };
}

function networksOf(typed: string): string[] {
  return typed.split('\n').map((line) => line.trim()).filter((line) => line !== '');
}

/** `null` for the gateway's default of 90 days. */
function expiresAt({ expiry, day }: ExpiryFields, now: Date): string | null {
  if (expiry === 'quarter') return null;
  return expiry === 'day' ? endOfDay(day) : new Date(now.getTime() + DAYS[expiry] * DAY).toISOString();
}

export function creationOf(fields: MachineFields, now: Date): RequestBody<'createMachine'> {
  return { name: fields.name.trim(), scopes: [...fields.scopes], networks: networksOf(fields.networks), expires_at: expiresAt(fields, now) };
}

export function rotationOf(fields: RotationFields, now: Date): RequestBody<'rotateMachine'> {
  return { overlap_hours: numberOf(fields.overlap), expires_at: expiresAt(fields, now) };
}
