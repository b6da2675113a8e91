import { type AccountId, type AccountNote, type AccountNoteId, type Actor, GatewayError, MAX_NOTES_PER_ACCOUNT, type NoteReference, type RemoveNoteOutcome, rfc3339 } from '@tollgate/core';
import { contract, type ReplyOf } from '@tollgate/api-contract';
import { actorOf, type DashboardCall } from '../call/dashboard-call.js';
import { type DashboardEndpoint, endpoint } from '../call/dashboard-endpoint.js';
import type { DashboardPorts } from '../call/dashboard-ports.js';
import { findAccount, noSuchAccount } from './account-views.js';

/** Endpoints for notes about accounts, by the same rules as the command line. */
export function accountNoteEndpoints(ports: DashboardPorts): readonly DashboardEndpoint[] {
  const { administration: { notes } } = ports;
  return [
    endpoint(contract.listNotesOfAccount)(async ({ params: { id }, call }) => {
      const found = await notes.list((await findAccount(id, ports)).id);
      return { object: 'list', data: found.map((note) => encodeNote(note, actorOf(call, 'operator'))), has_more: false };
    }),
    endpoint(contract.addNoteToAccount)(async ({ params: { id }, body: { text }, call }) => {
      const actor = actorOf(call, 'operator');
      const outcome = await notes.add({ accountId: id as AccountId, text, actor });
      switch (outcome.outcome) {
        case 'added': return encodeNote(outcome.note, actor);
        case 'no-such-account': throw noSuchAccount(id);
        case 'too-many': throw new GatewayError('conflict', `An account has at most ${MAX_NOTES_PER_ACCOUNT} notes. Remove one first.`);
      }
    }),
    endpoint(contract.changeNoteOfAccount)(async ({ params, body: { text }, call }) => {
      const reference = named(params, call);
      const outcome = await notes.change(reference, text);
      if (outcome.outcome !== 'changed') throw noteRefusal(outcome.outcome, params.note);
      return encodeNote(outcome.note, reference.actor);
    }),
    endpoint(contract.removeNoteOfAccount)(async ({ params, call }) => {
      const outcome = await notes.remove(named(params, call));
      if (outcome !== 'removed') throw noteRefusal(outcome, params.note);
    }),
  ];
}

function named({ id, note }: { readonly id: string; readonly note: string }, call: DashboardCall): NoteReference {
  return { accountId: id as AccountId, noteId: note as AccountNoteId, actor: actorOf(call, 'operator') };
}

function encodeNote({ id, text, author, writtenAt, changedAt }: AccountNote, reader: Actor): ReplyOf<typeof contract.addNoteToAccount> {
  return { id, object: 'account_note', text, author, is_own: author === reader.id, written_at: rfc3339(writtenAt), changed_at: changedAt === null ? null : rfc3339(changedAt) };
}

function noteRefusal(outcome: Exclude<RemoveNoteOutcome, 'removed'>, id: string): GatewayError {
  return outcome === 'not-own'
    ? new GatewayError('conflict', 'Only the author of a note can change or remove it.')
    : new GatewayError('not_found', `There is no note ${id}.`);
}
