import { Code } from '@mantine/core';
import type { ReactNode } from 'react';
import { playground as texts } from '#texts/playground';
import { Amount } from '../../components/amount';
import { TextLink } from '../../components/link';
import { Note } from '../../components/note';
import { duration } from '../../format/duration';
import type { ModelTurn, Turn, UserTurn } from './conversation';
import classes from './playground.module.css';
import { useEndedCharge } from './use-ended-charge';

const SECOND = 1_000;

function UserView({ turn: { text, pictures, results } }: { readonly turn: UserTurn }) {
  return (
    <article className={classes['turn']}>
      <strong>{texts.you}</strong>
      {results.map(({ call, result }) => <div key={call.id}><span className="muted">{texts.toolResult(call.name)}</span><Code block>{result}</Code></div>)}
      {pictures.map(({ name, address }) => <img key={address} src={address} alt={name} className={classes['picture']} />)}
      <p className={classes['text']}>{text}</p>
    </article>
  );
}

function Pace({ turn: { firstOutput, took, reply } }: { readonly turn: ModelTurn }) {
  if (firstOutput === null) return null;
  const streaming = took === null ? 0 : took - firstOutput;
  const tokens = reply.receipt?.outputTokens ?? reply.pieces;
  return <>{texts.firstToken(duration(firstOutput))}{streaming > SECOND / 10 && <> · {texts.perSecond(Math.round((tokens * SECOND) / streaming))}</>}</>;
}

/** The upper bound of a charge that is not booked. */
function PendingCharge({ turn, most, link }: { readonly turn: ModelTurn; readonly most: string; readonly link: ReactNode }) {
  const booked = useEndedCharge(turn);
  if (booked !== undefined) return <p>{texts.charged} <Amount value={booked.svc_tokens_debited} /> · {link}</p>;
  return <Note kind="info">{texts.chargedAtMost} <Amount value={most} />. {texts.pending}</Note>;
}

/** The charge, with a link to its explanation. */
function TurnEnd({ turn }: { readonly turn: ModelTurn }) {
  const { requestId, reply: { receipt, failure }, stopped, took } = turn;
  if (took === null) return null;
  const link = requestId === null ? null : <TextLink to="/usage/$requestId" params={{ requestId }}>{texts.viewCharge}</TextLink>;
  if (receipt?.isPending === true) return <PendingCharge turn={turn} most={receipt.charged} link={link} />;
  if (receipt !== null) return <p>{texts.charged} <Amount value={receipt.charged} /> · {link}</p>;
  if (stopped) return <Note kind="info" action={link}>{texts.stopped}</Note>;
  return <Note kind="bad" role="alert" action={link}>{failure?.message === undefined || failure.message === '' ? texts.endedEarly : `${failure.message} ${texts.endedEarly}`}</Note>;
}

function ModelView({ turn }: { readonly turn: ModelTurn }) {
  const { model, reply: { thinking, text, toolCalls }, took } = turn;
  return (
    <article className={`${classes['turn']} ${classes['reply']}`}>
      <strong>{model}</strong>
      {thinking !== '' && <details open={took === null && text === ''}><summary>{texts.thinking(thinking.split(/\s+/).length)}</summary><p className={`${classes['text']} muted`}>{thinking}</p></details>}
      <p className={classes['text']}>{text}{took === null && <span aria-hidden="true" className={classes['caret']}>▍</span>}</p>
      {toolCalls.map((call) => <div key={call.id}><span className="muted">{texts.toolCall(call.name)}</span><Code block>{call.arguments}</Code></div>)}
      <span className={classes['small']}><Pace turn={turn} /></span>
      <TurnEnd turn={turn} />
    </article>
  );
}

export function TurnView({ turn }: { readonly turn: Turn }) {
  return turn.role === 'user' ? <UserView turn={turn} /> : <ModelView turn={turn} />;
}
