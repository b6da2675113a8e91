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
  /** A question that names the object: `Revoke “ci”?` */
  readonly title: string;
  /** What happens, and whether it can be undone. */
  readonly effect: ReactNode;
  /** Repeats the verb of the title: `Revoke key`. */
  readonly action: string;
  /** Has to be typed before the act: the name of what is lost. */
  readonly typed?: string | undefined;
  /** Names the field for `typed`. */
  readonly typedLabel?: string;
  /** Acts; a rejection is shown in the dialog, which stays. */
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
  /** Fields that the act wants, below its effect. */
  readonly children?: ReactNode;
}

type Contents = Omit<DangerDialogProps, 'opened' | 'title'> & { readonly onBusy: (busy: boolean) => void };

/** Its state is fresh each time the dialog opens, because it is mounted within the dialog. */
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

/** Asks before an act that takes something away. The focus begins on Cancel; the act has a red outline, and Enter in a field does not do it. */
export function DangerDialog({ opened, title, ...contents }: DangerDialogProps) {
  const [busy, setBusy] = useState(false);
  return <Dialog opened={opened} title={title} busy={busy} onClose={contents.onClose}><DangerForm {...contents} onBusy={setBusy} /></Dialog>;
}
