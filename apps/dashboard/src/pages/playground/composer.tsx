import { Button, FileButton, Textarea } from '@mantine/core';
import { useState, type KeyboardEvent } from 'react';
import { playground as texts } from '#texts/playground';
import { CloseIcon, StopIcon } from '../../components/icons';
import type { Picture, UserTurn } from './conversation';
import classes from './playground.module.css';
import type { ToolCall } from './reply';

const MAX_BYTES = 5_000_000;
const KINDS = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];

export interface Draft {
  readonly text: string;
  readonly pictures: readonly Picture[];
  readonly results: Readonly<Record<string, string>>;
}

export const EMPTY_DRAFT: Draft = { text: '', pictures: [], results: {} };

/** `null` while there is nothing to send, or while a tool call has no result. */
export function turnOf({ text, pictures, results }: Draft, calls: readonly ToolCall[]): UserTurn | null {
  const answered = calls.map((call) => ({ call, result: results[call.id] ?? '' }));
  if (answered.some(({ result }) => result.trim() === '')) return null;
  if (text.trim() === '' && pictures.length === 0 && answered.length === 0) return null;
  return { role: 'user', text: text.trim(), pictures, results: answered };
}

function addressOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result as string));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('the file could not be read')));
    reader.readAsDataURL(file);
  });
}

interface ComposerProps {
  readonly draft: Draft;
  /** The last reply's calls that have no result yet. */
  readonly calls: readonly ToolCall[];
  readonly isAnswering: boolean;
  /** Seconds until the limit resets; 0 if requests are possible. */
  readonly wait: number;
  readonly canSend: boolean;
  readonly isComparing: boolean;
  /** True if every chosen model reads pictures. */
  readonly readsPictures: boolean;
  readonly onChange: (draft: Draft) => void;
  readonly onSend: () => void;
  readonly onStop: () => void;
}

export function Composer({ draft, calls, isAnswering, wait, canSend, isComparing, readsPictures, onChange, onSend, onStop }: ComposerProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const attach = async (file: File | null) => {
    if (file === null) return;
    const wrong = KINDS.includes(file.type) ? file.size > MAX_BYTES ? texts.pictureTooLarge : null : texts.pictureKind;
    setProblem(wrong);
    if (wrong === null) onChange({ ...draft, pictures: [...draft.pictures, { name: file.name, address: await addressOf(file) }] });
  };
  // Not `disabled`: a disabled button would lose the keyboard focus.
  const maySend = canSend && !isAnswering && wait === 0 && (readsPictures || draft.pictures.length === 0);
  const onKey = (event: KeyboardEvent) => {
    // While an input method composes a character, for example in Japanese, Enter ends the composition.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    if (maySend) onSend();
  };
  return (
    <div className={classes['composer']}>
      {calls.map((call) => (
        <Textarea
          key={call.id} label={texts.toolResult(call.name)} description={call.arguments} autosize minRows={1} maxRows={8} value={draft.results[call.id] ?? ''}
          onChange={({ currentTarget }) => onChange({ ...draft, results: { ...draft.results, [call.id]: currentTarget.value } })}
        />
      ))}
      <Textarea aria-label={texts.message} placeholder={texts.messagePlaceholder} autosize minRows={2} maxRows={12} value={draft.text} onKeyDown={onKey} onChange={({ currentTarget }) => onChange({ ...draft, text: currentTarget.value })} />
      {draft.pictures.length > 0 && (
        <div className={classes['pictures']}>
          {draft.pictures.map((picture) => (
            <Button key={picture.address} variant="default" size="xs" rightSection={<CloseIcon />} aria-label={texts.removePicture(picture.name)} onClick={() => onChange({ ...draft, pictures: draft.pictures.filter((one) => one !== picture) })}>
              {picture.name}
            </Button>
          ))}
        </div>
      )}
      {problem !== null && <span role="alert" className={classes['problem']}>{problem}</span>}
      <div className={classes['buttons']}>
        {readsPictures ? <FileButton accept={KINDS.join(',')} onChange={(file) => void attach(file)}>{(props) => <Button variant="default" {...props}>{texts.attach}</Button>}</FileButton> : <span className={classes['small']}>{texts.noPictures}</span>}
        {isAnswering
          ? <Button variant="outline" color="red" leftSection={<StopIcon />} onClick={onStop}>{texts.stop}</Button>
          : <Button aria-disabled={!maySend} data-disabled={!maySend || undefined} onClick={() => { if (maySend) onSend(); }}>{wait > 0 ? texts.sendIn(wait) : isComparing ? texts.sendToBoth : texts.send}</Button>}
      </div>
    </div>
  );
}
