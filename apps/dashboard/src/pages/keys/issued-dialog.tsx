import { Button, Checkbox } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { keys as texts } from '#texts/keys';
import { CopyButton } from '../../components/copy-button';
import { Dialog, DialogButtons } from '../../components/dialog';
import { Note } from '../../components/note';
import { selectText } from '../../components/select-text';
import type { IssuedKey } from './create-dialog';
import { FirstRequest } from './first-request';
import classes from './keys.module.css';

const { issued: labels } = texts;

interface IssuedDialogProps {
  readonly issued: IssuedKey;
  readonly rotated?: boolean;
  /** Discards the secret. */
  readonly onClose: () => void;
}

interface AskProps {
  readonly onBack: () => void;
  readonly onClose: () => void;
}

/** Asks for confirmation before closing without a copy. */
function Ask({ onBack, onClose }: AskProps) {
  return (
    <div role="alertdialog" aria-label={labels.ask} className={classes['ask']}>
      <Note kind="warning" role="alert">{labels.ask}</Note>
      <DialogButtons>
        {/* oxlint wants no autoFocus; the trap of the dialog leaves the focus where it is set. */}
        <Button variant="default" ref={(button) => button?.focus()} onClick={onBack}>{labels.goBack}</Button>
        <Button variant="outline" color="red" onClick={onClose}>{labels.closeAnyway}</Button>
      </DialogButtons>
    </div>
  );
}

/** The secret is shown only here. Stays until the key is copied, confirmed as stored, or discarded twice. */
export function IssuedDialog({ issued, rotated = false, onClose }: IssuedDialogProps) {
  const [stored, setStored] = useState(false);
  const [asking, setAsking] = useState(false);
  const box = useRef<HTMLElement>(null);
  const done = useRef<HTMLButtonElement>(null);
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => !stored && current.pathname !== next.pathname, enableBeforeUnload: () => !stored, withResolver: true,
  });
  const isAsked = asking || blocker.status === 'blocked';
  const close = () => (stored ? onClose() : setAsking(true));
  const goBack = () => {
    setAsking(false);
    blocker.reset?.();
    // The pressed button was removed, so the focus moves here.
    window.requestAnimationFrame(() => done.current?.focus());
  };
  const closeAnyway = () => {
    blocker.proceed?.();
    onClose();
  };
  return (
    <Dialog opened size={640} title={rotated ? labels.rotated(issued.name) : labels.created(issued.name)} onClose={close}>
      <p className="muted">{labels.once}</p>
      <code ref={box} className={`${classes['secret']} mono`} aria-label={labels.secret}>{issued.secret}</code>
      <CopyButton
        text={issued.secret} label={labels.copy} failedText={labels.copyFailed} variant="filled" size="sm" data-autofocus
        onCopied={() => setStored(true)} onFailed={() => selectText(box.current)}
      />
      <FirstRequest issued={issued} onCopied={() => setStored(true)} />
      {isAsked ? <Ask onBack={goBack} onClose={closeAnyway} /> : (
        <div className={classes['head']}>
          <Checkbox label={labels.stored} checked={stored} onChange={({ currentTarget }) => setStored(currentTarget.checked)} />
          <Button ref={done} variant="default" onClick={close}>{labels.done}</Button>
        </div>
      )}
    </Dialog>
  );
}
