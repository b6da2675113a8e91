import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { playground as texts } from '#texts/playground';
import { AnsweringStatus } from './answering-status';
import classes from './playground.module.css';
import { RefusalNote } from './refusal-note';
import { TurnView } from './turn-view';
import { useFollowing } from './use-following';
import type { Lane } from './use-lane';

interface LaneViewProps {
  readonly lane: Lane;
  readonly label: string;
  /** Shown while there is no turn. */
  readonly empty: ReactNode;
  /** Edits the person's turn at this index. */
  readonly onEdit: (index: number, text: string) => void;
}

/** Sends the person's last turn again; a reply to it is replaced. */
function askAgain({ turns, ask }: Lane): void {
  void ask(turns.slice(0, turns.findLastIndex(({ role }) => role === 'user') + 1), turns);
}

export function LaneView({ lane, label, empty, onEdit }: LaneViewProps) {
  const { turns, isAnswering, refusal, wait, current, isValid } = lane;
  const { log, onScroll } = useFollowing(turns.filter(({ role }) => role === 'user').length);
  const isUnanswered = turns.at(-1)?.role === 'user' && !isAnswering;
  const mayAsk = isValid && !isAnswering && wait === 0;
  return (
    <>
      <div className={classes['log']} ref={log} onScroll={onScroll} role="log" aria-live="off" aria-label={label} tabIndex={turns.length === 0 ? undefined : 0}>
        {turns.length === 0 && empty}
        {turns.map((turn, index) => (
          <TurnView
            key={index} turn={turn} place={index + 1} onEdit={mayAsk ? (text) => onEdit(index, text) : null}
            onAnswerAgain={mayAsk && index === turns.length - 1 ? () => askAgain(lane) : null}
          />
        ))}
      </div>
      <AnsweringStatus turn={current} isAnswering={isAnswering} />
      <RefusalNote refusal={refusal} wait={wait} />
      {isUnanswered && <div><Button variant="default" size="xs" disabled={!mayAsk} onClick={() => askAgain(lane)}>{texts.tryAgain}</Button></div>}
    </>
  );
}
