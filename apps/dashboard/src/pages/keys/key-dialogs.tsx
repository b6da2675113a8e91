import { keys as texts } from '#texts/keys';
import { call } from '../../api/call';
import { DangerDialog } from '../../components/confirm-dialog';
import type { IssuedKey } from './create-dialog';
import { EditDialog } from './edit-dialog';
import { confirmationOf, isInUse, type Key, usageSentence } from './key-state';
import { useKeysChanged } from './use-keys-changed';

/** What is about to happen to a key. */
export type KeyAct = 'edit' | 'rotate' | 'revoke';

interface KeyDialogsProps {
  readonly apiKey: Key;
  /** The open dialog. */
  readonly act: KeyAct | null;
  readonly onClose: () => void;
  /** Takes the replacement of a rotated key. */
  readonly onIssued: (issued: IssuedKey) => void;
}

/** The dialogs that change or end a key. Those that end it say when and how much it was used. */
export function KeyDialogs({ apiKey, act, onClose, onIssued }: KeyDialogsProps) {
  const keysChanged = useKeysChanged();
  const { id, name } = apiKey;
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
      <DangerDialog opened={act === 'rotate'} title={texts.rotate.title(name)} effect={`${texts.rotate.effect} ${used}`} action={texts.rotate.action} onConfirm={rotate} onClose={onClose} />
      <DangerDialog
        opened={act === 'revoke'} title={texts.revoke.title(name)} effect={`${texts.revoke.effect} ${used}`} action={texts.revoke.action}
        typed={isInUse(apiKey) ? confirmationOf(apiKey) : undefined} typedLabel={name === null ? texts.revoke.typeEnd : texts.revoke.typeName}
        onConfirm={revoke} onClose={onClose}
      />
    </>
  );
}
