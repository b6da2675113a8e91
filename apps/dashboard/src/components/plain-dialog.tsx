import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { common } from '#texts/common';
import { Dialog, DialogButtons } from './dialog';
import { FormProblem } from './form-problem';

interface PlainDialogProps {
  readonly opened: boolean;
  /** Names the object of the action. */
  readonly title: string;
  readonly effect: string;
  /** Repeats the title's verb. */
  readonly action: string;
  /** A rejection is shown in the open dialog. */
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
}

function PlainForm({ effect, action, onConfirm, onClose, onBusy }: Omit<PlainDialogProps, 'opened' | 'title'> & { readonly onBusy: (busy: boolean) => void }) {
  const act = useMutation({ mutationFn: onConfirm, onSuccess: onClose });
  useEffect(() => onBusy(act.isPending), [act.isPending, onBusy]);
  return (
    <>
      <div>{effect}</div>
      <FormProblem error={act.error} />
      <DialogButtons>
        <Button variant="default" disabled={act.isPending} onClick={onClose}>{common.cancel}</Button>
        <Button data-autofocus loading={act.isPending} onClick={() => act.mutate()}>{action}</Button>
      </DialogButtons>
    </>
  );
}

/** Confirms an act that is not destructive. */
export function PlainDialog({ opened, title, ...contents }: PlainDialogProps) {
  const [busy, setBusy] = useState(false);
  return <Dialog opened={opened} title={title} busy={busy} onClose={contents.onClose}><PlainForm {...contents} onBusy={setBusy} /></Dialog>;
}
