import { useQuery } from '@tanstack/react-query';
import { keys as texts } from '#texts/keys';
import { call } from '../../api/call';
import { DangerDialog } from '../../components/confirm-dialog';
import type { IssuedKey } from './create-dialog';
import { EditDialog } from './edit-dialog';
import { confirmationOf, isInUse, type Key, usageSentence } from './key-state';
import { useKeysChanged } from './use-keys-changed';

export type KeyAct = 'edit' | 'rotate' | 'revoke';

interface KeyDialogsProps {
  readonly apiKey: Key;
  readonly act: KeyAct | null;
  readonly onClose: () => void;
  /** Receives the replacement of a rotated key. */
  readonly onIssued: (issued: IssuedKey) => void;
}

/** Before a key is ended, the dialog shows when the key was last used, and how often in seven days. */
export function KeyDialogs({ apiKey: listed, act, onClose, onIssued }: KeyDialogsProps) {
  const keysChanged = useKeysChanged();
  const { id, name } = listed;
  const ends = act === 'rotate' || act === 'revoke';
  // Read again, because the listed key may have been used meanwhile.
  const now = useQuery({ queryKey: ['key-before-end', id, act], queryFn: ({ signal }) => call('readKey', { params: { id } }, signal), enabled: ends, gcTime: 0, retry: false, refetchOnWindowFocus: false });
  const apiKey = now.data ?? listed;
  const asked = ends && !now.isPending ? act : null;
  const used = usageSentence(apiKey);
  const rotate = async () => {
    onIssued(await call('rotateKey', { params: { id } }));
    keysChanged();
  };
  const revoke = async () => {
    await call('revokeKey', { params: { id } });
    keysChanged();
  };
  return (
    <>
      <EditDialog apiKey={apiKey} opened={act === 'edit'} onClose={onClose} />
      <DangerDialog opened={asked === 'rotate'} title={texts.rotate.title(name)} effect={`${texts.rotate.effect} ${used}`} action={texts.rotate.action} onConfirm={rotate} onClose={onClose} />
      <DangerDialog
        opened={asked === 'revoke'} title={texts.revoke.title(name)} effect={`${texts.revoke.effect} ${used}`} action={texts.revoke.action}
        typed={now.isError || isInUse(apiKey) ? confirmationOf(apiKey) : undefined} typedLabel={name === null ? texts.revoke.typeEnd : texts.revoke.typeName}
        onConfirm={revoke} onClose={onClose}
      />
    </>
  );
}
