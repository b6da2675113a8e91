import { isPromised, pendingSettlement, type PromisedSettlement, type SettleCommand, SettlementRefused, type SettleOutcome } from '@tollgate/core';

/** True if a settlement of a served request was answered as pending. */
export function isAnswered(command: SettleCommand | null): command is PromisedSettlement {
  return command !== null && command.ending.service !== null && isPromised(command);
}

/** The answer to a waiting settlement. Throws `SettlementRefused` if it has already been refused, so that its request is free. */
export function answerOf(command: PromisedSettlement): SettleOutcome {
  const pending = pendingSettlement(command, command.hold);
  if (command.atMost.isLessThan(pending.charge.amount)) throw new SettlementRefused(new Error('this settlement has already been refused'));
  return pending;
}
