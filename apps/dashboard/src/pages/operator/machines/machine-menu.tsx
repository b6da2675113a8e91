import { ActionIcon, Menu } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { machines as texts } from '#texts/machines';
import { MoreIcon } from '../../../components/icons';
import { useNarrow } from '../../../components/use-narrow';
import type { Machine } from './machine';

export type MachineAct = 'rotate' | 'revoke';

interface MachineMenuProps {
  readonly machine: Machine;
  readonly onAct: (machine: Machine, act: MachineAct) => void;
}

const SIZES = { narrow: 44, wide: 28 } as const;

export function MachineMenu({ machine, onAct }: MachineMenuProps) {
  const navigate = useNavigate();
  const size = useNarrow() ? SIZES.narrow : SIZES.wide;
  const button = useRef<HTMLButtonElement>(null);
  /** Dialogs restore the focus to the element that had it, which must not be a menu item. */
  const choose = (act: MachineAct) => {
    button.current?.focus();
    onAct(machine, act);
  };
  return (
    <Menu position="bottom-end" width={180}>
      <Menu.Target><ActionIcon ref={button} variant="default" size={size} aria-label={texts.actionsOf(machine.name)}><MoreIcon /></ActionIcon></Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void navigate({ to: '/operator/audit', search: { actor: `machine:${machine.id}` } })}>{texts.actions.audit}</Menu.Item>
        {machine.status !== 'revoked' && (
          <>
            <Menu.Item onClick={() => choose('rotate')}>{texts.actions.rotate}</Menu.Item>
            <Menu.Item color="var(--bad)" onClick={() => choose('revoke')}>{texts.actions.revoke}</Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
