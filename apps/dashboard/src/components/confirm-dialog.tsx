import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { common } from '#texts/common';
import { proof } from '#texts/proof';
import classes from './dialog.module.css';
import { Dialog, DialogButtons } from './dialog';
import { FormProblem } from './form-problem';

interface DangerDialogProps {
  readonly opened: boolean;
  /** Names the object: `Revoke “ci”?` */
  readonly title: string;
  /** Consequences, and whether they can be undone. */
  readonly effect: ReactNode;
  /** Repeats the title's verb: `Revoke key`. */
  readonly action: string;
  /** Text that the person must type for confirmation. */
  readonly typed?: string | undefined;
  readonly typedLabel?: string;
  /** A rejection is shown in the open dialog. */
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
  /** Shown below the effect. */
  readonly children?: ReactNode;
}

type Contents = Omit<DangerDialogProps, 'opened' | 'title'> & { readonly onBusy: (busy: boolean) => void };

/** Mounted when the dialog opens, so that each opening starts with an empty form. */
function DangerForm({ effect, action, typed, typedLabel = proof.typeName, onConfirm, onClose, onBusy, children }: Contents) {
  const [text, setText] = useState('');
  const [missing, setMissing] = useState(false);
  const act = useMutation({ mutationFn: onConfirm, onSuccess: onClose });
  useEffect(() => onBusy(act.isPending), [act.isPending, onBusy]);
  const confirm = () => {
    const matches = typed === undefined || text.trim() === typed;
    setMissing(!matches);
    if (matches) act.mutate();
  };
  return (
    <div className={classes['form']}>
      <div className="in-text">{effect}</div>
      {children}
      {typed !== undefined && (
        <TextInput
          label={typedLabel} description={proof.typeExactly(typed)} inputWrapperOrder={['label', 'description', 'input', 'error']} autoComplete="off" spellCheck={false}
          value={text} error={missing ? proof.typedWrong : undefined} onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
      )}
      <FormProblem error={act.error} />
      <DialogButtons>
        <Button variant="default" data-autofocus disabled={act.isPending} onClick={onClose}>{common.cancel}</Button>
        <Button variant="outline" color="red" loading={act.isPending} onClick={confirm}>{action}</Button>
      </DialogButtons>
    </div>
  );
}

/** Confirms a destructive act. Cancel has the initial focus; Enter in a field does not confirm. */
export function DangerDialog({ opened, title, ...contents }: DangerDialogProps) {
  const [busy, setBusy] = useState(false);
  return <Dialog opened={opened} title={title} busy={busy} onClose={contents.onClose}><DangerForm {...contents} onBusy={setBusy} /></Dialog>;
}
