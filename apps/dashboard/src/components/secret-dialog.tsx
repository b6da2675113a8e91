import { Button, Checkbox, ScrollArea } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useRef, useState, type ReactNode } from 'react';
import { CopyButton } from './copy-button';
import { Dialog, DialogButtons } from './dialog';
import { Note } from './note';
import classes from './secret-dialog.module.css';
import { selectText } from './select-text';

interface SecretTexts {
  /** Says that the secret is shown only once. */
  readonly once: string;
  readonly secret: string;
  readonly copy: string;
  readonly copyFailed: string;
  readonly stored: string;
  readonly done: string;
  /** Asks whether to close without a copy. */
  readonly ask: string;
  readonly goBack: string;
  readonly closeAnyway: string;
}

interface SecretDialogProps {
  readonly title: string;
  /** One per line if there are several. */
  readonly secret: string;
  readonly texts: SecretTexts;
  /** Discards the secret. */
  readonly onClose: () => void;
  /** Shown below the secret. Call `onCopied` when the secret was copied in another form, such as within a command. */
  readonly children?: (onCopied: () => void) => ReactNode;
}

interface AskProps {
  readonly texts: SecretTexts;
  readonly onBack: () => void;
  readonly onClose: () => void;
}

/** Asks for confirmation before closing without a copy. */
function Ask({ texts, onBack, onClose }: AskProps) {
  return (
    <div role="alertdialog" aria-label={texts.ask} className={classes['ask']}>
      <Note kind="warning" role="alert">{texts.ask}</Note>
      <DialogButtons>
        {/* oxlint forbids autoFocus; the dialog's focus trap leaves the focus where it is set. */}
        <Button variant="default" ref={(button) => button?.focus()} onClick={onBack}>{texts.goBack}</Button>
        <Button variant="outline" color="red" onClick={onClose}>{texts.closeAnyway}</Button>
      </DialogButtons>
    </div>
  );
}

/** Stays open until the secret is copied, or the person confirms that it is stored or may be discarded: it cannot be shown again. */
export function SecretDialog({ title, secret, texts, onClose, children }: SecretDialogProps) {
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
    // The pressed button was removed, so the button that ends the dialog takes the focus.
    window.requestAnimationFrame(() => done.current?.focus());
  };
  const closeAnyway = () => {
    blocker.proceed?.();
    onClose();
  };
  return (
    <Dialog opened size={640} title={title} onClose={close}>
      <p className="muted">{texts.once}</p>
      <ScrollArea.Autosize mah="40vh" viewportProps={secret.includes('\n') ? { tabIndex: 0, role: 'region', 'aria-label': texts.secret } : {}}>
        <code ref={box} className={`${classes['secret']} mono`} aria-label={texts.secret}>{secret}</code>
      </ScrollArea.Autosize>
      <CopyButton text={secret} label={texts.copy} failedText={texts.copyFailed} variant="filled" size="sm" data-autofocus onCopied={() => setStored(true)} onFailed={() => selectText(box.current)} />
      {children?.(() => setStored(true))}
      {isAsked ? <Ask texts={texts} onBack={goBack} onClose={closeAnyway} /> : (
        <div className={classes['foot']}>
          <Checkbox label={texts.stored} checked={stored} onChange={({ currentTarget }) => setStored(currentTarget.checked)} />
          <Button ref={done} variant="default" onClick={close}>{texts.done}</Button>
        </div>
      )}
    </Dialog>
  );
}
