import * as cli from '@tollgate/cli';
import * as testkit from '@tollgate/testkit';
import * as programs from '@tollgate/testkit/programs';
