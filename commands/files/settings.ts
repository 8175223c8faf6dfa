import { flag, HTTP_URL, text, together, unset } from '../../infra/settings.ts';

export const fileSettings = {
  S3_BUCKET: unset({
    description:
      'Bucket for uploaded files. Unset = the folder `files` in `DATA_DIR`, which all processes must then share.',
  }),
  S3_ENDPOINT: unset({
    pattern: HTTP_URL,
    needs: ['S3_BUCKET'],
    description: 'Address of the S3 server. Unset = Amazon S3.',
  }),
  S3_REGION: text('us-east-1', { description: 'Region of the bucket.' }),
  ...together({
    S3_ACCESS_KEY_ID: unset({
      secret: true,
      needs: ['S3_BUCKET'],
      description: 'Access key of the bucket. Unset = as the AWS client finds it on the machine.',
    }),
    S3_SECRET_ACCESS_KEY: unset({ secret: true, needs: ['S3_BUCKET'], description: 'Secret of that access key.' }),
  }),
  S3_PATH_STYLE: flag(false, 'Whether the bucket is part of the path. Most servers other than Amazon S3 need it.'),
};
