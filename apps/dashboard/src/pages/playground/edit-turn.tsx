import { Button, Textarea } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { common } from '#texts/common';
import { playground as texts } from '#texts/playground';
import classes from './playground.module.css';

interface EditTurnProps {
  readonly text: string;
  /** Called with the new text, which is not empty. */
  readonly onSend: (text: string) => void;
  readonly onCancel: () => void;
}

export function EditTurn({ text: before, onSend, onCancel }: EditTurnProps) {
  const [text, setText] = useState(before);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <div className={classes['composer']}>
      <Textarea aria-label={texts.editMessage} ref={field} autosize minRows={2} maxRows={12} value={text} onChange={({ currentTarget }) => setText(currentTarget.value)} />
      <p className={classes['small']}>{texts.editHelp}</p>
      <div className={classes['prompts']}>
        <Button variant="default" size="xs" onClick={onCancel}>{common.cancel}</Button>
        <Button size="xs" disabled={text.trim() === ''} onClick={() => onSend(text.trim())}>{texts.sendAgain}</Button>
      </div>
    </div>
  );
}
