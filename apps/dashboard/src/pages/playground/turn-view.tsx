import { Button, Code } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { playground as texts } from '#texts/playground';
import { Amount } from '../../components/amount';
import { CopyButton } from '../../components/copy-button';
import { TextLink } from '../../components/link';
import { Note } from '../../components/note';
import { duration } from '../../format/duration';
import { ModelLabel } from '../models/model-label';
import type { ModelTurn, Turn, UserTurn } from './conversation';
import { EditTurn } from './edit-turn';
import { Markdown } from './markdown';
import classes from './playground.module.css';
import { RawDialog } from './raw-dialog';
import { useEndedCharge } from './use-ended-charge';

const SECOND = 1_000;

/** What a person can do with a turn; `null` for what is not possible, for example while a reply runs. */
interface TurnActs {
  readonly onEdit: ((text: string) => void) | null;
  readonly onAnswerAgain: (() => void) | null;
}

interface Placed<T> {
  readonly turn: T;
  /** Position in the conversation, counted from 1. */
  readonly place: number;
}

function UserView({ turn: { text, pictures, results }, place, onEdit }: Placed<UserTurn> & Pick<TurnActs, 'onEdit'>) {
  const [isEdited, setEdited] = useState(false);
  return (
    <article className={classes['turn']}>
      <header className={classes['heading']}>
        <strong>{texts.you}</strong>
        {onEdit !== null && !isEdited && <Button variant="subtle" size="compact-xs" aria-label={texts.named.edit(place)} onClick={() => setEdited(true)}>{texts.edit}</Button>}
      </header>
      {results.map(({ call, result }) => <div key={call.id}><span className="muted">{texts.toolResult(call.name)}</span><Code block>{result}</Code></div>)}
      {pictures.map(({ name, address }) => <img key={address} src={address} alt={name} className={classes['picture']} />)}
      {isEdited && onEdit !== null
        ? <EditTurn text={text} onCancel={() => setEdited(false)} onSend={(changed) => { setEdited(false); onEdit(changed); }} />
        : <p className={classes['text']}>{text}</p>}
    </article>
  );
}

function Pace({ turn: { firstOutput, took, reply } }: { readonly turn: ModelTurn }) {
  if (firstOutput === null) return null;
  const streaming = took === null ? 0 : took - firstOutput;
  const tokens = reply.receipt?.outputTokens ?? reply.pieces;
  return <>{texts.firstToken(duration(firstOutput))}{streaming > SECOND / 10 && <> · {texts.perSecond(Math.round((tokens * SECOND) / streaming))}</>}</>;
}

/** The upper bound of a charge until it is booked, then the charge. */
function PendingCharge({ turn, most, link }: { readonly turn: ModelTurn; readonly most: NonNullable<ModelTurn['reply']['receipt']>; readonly link: ReactNode }) {
  const booked = useEndedCharge(turn);
  if (booked !== undefined) return <p>{texts.charged} <Amount value={booked.svc_tokens_debited} usd={booked.svc_cost_usd} full alone /> · {link}</p>;
  return <Note kind="info">{texts.chargedAtMost} <Amount value={most.charged} usd={most.usd} full alone />. {texts.pending}</Note>;
}

/** How a reply ended: its charge or why it has none, with a link to the explanation. */
function TurnEnd({ turn }: { readonly turn: ModelTurn }) {
  const { requestId, reply: { receipt, failure }, stopped, took } = turn;
  if (took === null) return null;
  const link = requestId === null ? null : <TextLink to="/usage/$requestId" params={{ requestId }}>{texts.viewCharge}</TextLink>;
  if (receipt?.isPending === true) return <PendingCharge turn={turn} most={receipt} link={link} />;
  if (receipt !== null) return <p>{texts.charged} <Amount value={receipt.charged} usd={receipt.usd} full alone /> · {link}</p>;
  if (stopped) return <Note kind="info" action={link}>{texts.stopped}</Note>;
  return <Note kind="bad" role="alert" action={link}>{failure?.message === undefined || failure.message === '' ? texts.endedEarly : `${failure.message} ${texts.endedEarly}`}</Note>;
}

function ModelActs({ turn, place, onAnswerAgain }: Placed<ModelTurn> & Pick<TurnActs, 'onAnswerAgain'>) {
  const [rawOpen, setRawOpen] = useState(false);
  const { reply: { text }, took, raw, requestId } = turn;
  if (took === null) return null;
  return (
    <span className={classes['acts']}>
      {text !== '' && <CopyButton text={text} variant="subtle" size="compact-xs" label={texts.copyReply} name={texts.named.copy(place)} />}
      {onAnswerAgain !== null && <Button variant="subtle" size="compact-xs" onClick={onAnswerAgain}>{texts.answerAgain}</Button>}
      {raw !== null && <Button variant="subtle" size="compact-xs" aria-label={texts.named.raw(place)} onClick={() => setRawOpen(true)}>{texts.raw}</Button>}
      <RawDialog raw={rawOpen ? raw : null} requestId={requestId} onClose={() => setRawOpen(false)} />
    </span>
  );
}

function ModelView({ turn, place, onAnswerAgain }: Placed<ModelTurn> & Pick<TurnActs, 'onAnswerAgain'>) {
  const { model, reply: { thinking, text, toolCalls }, took } = turn;
  return (
    <article className={`${classes['turn']} ${classes['reply']}`}>
      <header className={classes['heading']}><strong><ModelLabel id={model} /></strong><ModelActs turn={turn} place={place} onAnswerAgain={onAnswerAgain} /></header>
      {thinking !== '' && <details open={took === null && text === ''}><summary>{texts.thinking(thinking.split(/\s+/).length)}</summary><p className={`${classes['text']} muted`}>{thinking}</p></details>}
      <Markdown text={text} isGrowing={took === null} />
      {took === null && <span aria-hidden="true" className={classes['caret']}>▍</span>}
      {toolCalls.map((call) => <div key={call.id}><span className="muted">{texts.toolCall(call.name)}</span><Code block>{call.arguments}</Code></div>)}
      <span className={classes['small']}><Pace turn={turn} /></span>
      <TurnEnd turn={turn} />
    </article>
  );
}

export function TurnView({ turn, place, onEdit, onAnswerAgain }: Placed<Turn> & TurnActs) {
  return turn.role === 'user' ? <UserView turn={turn} place={place} onEdit={onEdit} /> : <ModelView turn={turn} place={place} onAnswerAgain={onAnswerAgain} />;
}
