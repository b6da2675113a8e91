import { keys as texts } from '#texts/keys';
import { SecretDialog } from '../../components/secret-dialog';
import type { IssuedKey } from './create-dialog';
import { FirstRequest } from './first-request';

const { issued: labels } = texts;

interface IssuedDialogProps {
  readonly issued: IssuedKey;
  readonly rotated?: boolean;
  /** Discards the secret. */
  readonly onClose: () => void;
}

export function IssuedDialog({ issued, rotated = false, onClose }: IssuedDialogProps) {
  return (
    <SecretDialog title={rotated ? labels.rotated(issued.name) : labels.created(issued.name)} secret={issued.secret} texts={labels} onClose={onClose}>
      {(onCopied) => <FirstRequest issued={issued} onCopied={onCopied} />}
    </SecretDialog>
  );
}
