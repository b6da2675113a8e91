import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { common } from '#texts/common';
import { usage } from '#texts/usage';

interface RecordDrawerProps {
  readonly record: string | undefined;
  readonly onClose: () => void;
  readonly children: (requestId: string) => ReactNode;
}

export function RecordDrawer({ record, onClose, children }: RecordDrawerProps) {
  return (
    <Drawer opened={record !== undefined} onClose={onClose} size={560} title={<strong>{usage.record.title}</strong>} closeButtonProps={{ 'aria-label': common.close }}>
      {record !== undefined && children(record)}
    </Drawer>
  );
}
