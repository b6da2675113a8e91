import { machines as texts } from '#texts/machines';
import { call } from '../../../api/call';
import { DangerDialog } from '../../../components/confirm-dialog';
import { useFreshCall } from '../../../components/fresh-proof';
import { ago, shortInstant } from '../../../format/instant';
import { isInUse, type IssuedMachine, type Machine } from './machine';
import type { MachineAct } from './machine-menu';
import { RotateDialog } from './rotate-dialog';

const { revoke: labels } = texts;

function revokeEffect({ last_used_at: used }: Machine): string {
  return `${labels.effect} ${used === null ? labels.unused : labels.used(ago(used) ?? shortInstant(used))}`;
}

interface MachineDialogsProps {
  readonly machine: Machine;
  readonly act: MachineAct;
  readonly onClose: () => void;
  /** Receives the new secret. */
  readonly onIssued: (issued: IssuedMachine) => void;
  readonly onRevoked: () => void;
}

export function MachineDialogs({ machine, act, onClose, onIssued, onRevoked }: MachineDialogsProps) {
  const fresh = useFreshCall();
  if (act === 'rotate') return <RotateDialog machine={machine} onClose={onClose} onIssued={onIssued} />;
  const revoke = async () => {
    await fresh(() => call('revokeMachine', { params: { id: machine.id } }));
    onRevoked();
  };
  return (
    <DangerDialog
      opened title={labels.title(machine.name)} effect={revokeEffect(machine)} action={labels.action} onConfirm={revoke} onClose={onClose}
      typed={isInUse(machine) ? machine.name : undefined} typedLabel={labels.typeName}
    />
  );
}
