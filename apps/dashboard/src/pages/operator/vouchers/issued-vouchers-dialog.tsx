import { Button } from '@mantine/core';
import { vouchers as texts } from '#texts/vouchers';
import { download } from '../../../components/download';
import { DownloadIcon } from '../../../components/icons';
import { SecretDialog } from '../../../components/secret-dialog';
import type { IssuedVouchers } from './create-vouchers-dialog';

const { issued: labels } = texts;

interface IssuedVouchersProps {
  readonly issued: IssuedVouchers;
  /** Discards the codes. */
  readonly onClose: () => void;
}

/** The codes are shown only here. */
export function IssuedVouchersDialog({ issued: { batch, codes, csv }, onClose }: IssuedVouchersProps) {
  return (
    <SecretDialog title={labels.title(codes.length)} secret={codes.join('\n')} texts={labels} onClose={onClose}>
      {(onCopied) => (
        <Button
          variant="default" leftSection={<DownloadIcon />}
          onClick={() => {
            download(labels.file(batch.id), csv, 'text/csv');
            onCopied();
          }}
        >
          {labels.download}
        </Button>
      )}
    </SecretDialog>
  );
}
