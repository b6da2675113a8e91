import { standing } from '#texts/operator-accounts';
import { call } from '../../../../api/call';
import { exactAmount } from '../../../../format/amount';
import type { StandingActName } from '../acts/open-acts';
import { done, unchanged, type AccountDetail, type Outcome } from '../acts/account-data';

/** An act on an account's standing. Destructive ones use `DangerDialog`. */
interface StandingAct {
  readonly label: string;
  readonly isDangerous: boolean;
  readonly title: (who: string) => string;
  readonly effect: (account: AccountDetail, graceDays: number) => string;
  /** True if the operator must give a reason, which the owner sees. */
  readonly wantsReason?: true;
  /** True if the operator must type the account's e-mail address. */
  readonly wantsTyping?: true;
  readonly run: (account: AccountDetail, reason: string) => Promise<Outcome>;
}

/** Outcome of an act: `text`, or that nothing changed if the reply says so. */
async function outcomeOf(act: Promise<{ readonly outcome: string }>, text: string): Promise<Outcome> {
  const { outcome } = await act;
  return outcome === 'unchanged' ? unchanged(standing.unchanged) : done(text);
}

async function deleteNow({ id }: AccountDetail): Promise<Outcome> {
  const { outcome, forfeited } = await call('deleteAccount', { params: { id }, body: { now: true } });
  if (outcome === 'requests-running') return { kind: 'warning', text: standing.requestsRunning, audited: true };
  if (outcome === 'charge-running') return { kind: 'warning', text: standing.chargeRunning, audited: true };
  if (outcome === 'deleted-already' || outcome === 'unchanged') return unchanged(standing.deletedAlready);
  return done(standing.deleted(forfeited === null ? null : exactAmount(forfeited)));
}

async function endSessions({ person }: AccountDetail): Promise<Outcome> {
  if (person === null) return unchanged(standing.unchanged);
  await call('endSessionsOfPerson', { params: { id: person.id } });
  return done(standing.sessionsEnded);
}

const paramsOf = ({ id }: AccountDetail) => ({ params: { id } });

const STANDING_ACTS: Readonly<Record<StandingActName, StandingAct>> = {
  suspend: {
    label: standing.suspend, isDangerous: true, title: standing.suspendTitle, effect: () => standing.suspendEffect, wantsReason: true,
    run: (account, reason) => outcomeOf(call('suspendAccount', { ...paramsOf(account), body: { reason } }), standing.suspended),
  },
  reactivate: {
    label: standing.reactivate, isDangerous: false, title: standing.reactivateTitle, effect: () => standing.reactivateEffect,
    run: (account) => outcomeOf(call('reactivateAccount', paramsOf(account)), standing.reactivated),
  },
  block: {
    label: standing.block, isDangerous: true, title: standing.blockTitle, effect: () => standing.blockEffect,
    run: (account) => outcomeOf(call('blockAccount', paramsOf(account)), standing.blocked),
  },
  unblock: {
    label: standing.unblock, isDangerous: false, title: standing.unblockTitle, effect: () => standing.unblockEffect,
    run: (account) => outcomeOf(call('unblockAccount', paramsOf(account)), standing.unblocked),
  },
  verify: {
    label: standing.verify, isDangerous: false, title: standing.verifyTitle, effect: () => standing.verifyEffect,
    run: (account) => outcomeOf(call('verifyAccount', paramsOf(account)), standing.isVerified),
  },
  schedule: {
    label: standing.schedule, isDangerous: true, title: standing.scheduleTitle, effect: (_account, days) => standing.scheduleEffect(days), wantsTyping: true,
    run: (account) => outcomeOf(call('deleteAccount', { ...paramsOf(account), body: {} }), standing.scheduled),
  },
  cancelDeletion: {
    label: standing.cancelDeletion, isDangerous: false, title: standing.cancelDeletionTitle, effect: () => standing.cancelDeletionEffect,
    run: (account) => outcomeOf(call('cancelDeletionOfAccount', paramsOf(account)), standing.deletionCancelled),
  },
  deleteNow: {
    label: standing.deleteNow, isDangerous: true, title: standing.deleteTitle, wantsTyping: true,
    effect: ({ balance }) => standing.deleteEffect(exactAmount(balance.available.svc_tokens)), run: deleteNow,
  },
  endSessions: {
    label: standing.endSessions, isDangerous: true, title: standing.endSessionsTitle, effect: () => standing.endSessionsEffect, run: endSessions,
  },
};

export function standingAct(name: StandingActName): StandingAct {
  return STANDING_ACTS[name];
}
