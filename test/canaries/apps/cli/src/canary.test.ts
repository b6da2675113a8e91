import * as testkit from '@tollgate/testkit';
