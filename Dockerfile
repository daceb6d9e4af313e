# One image for the four services; the command says which one a container runs. The workspace is copied as
# it is, because Node strips types only from files outside node_modules.

# The dashboard and the docs site are the same for every processor: they are built on the builder's own, without emulation.
FROM --platform=$BUILDPLATFORM node:26.10.0-bookworm-slim@sha256:662933cf47f013bc8e4beb31a6116448427a82057ba7c42c97e4c5ba766504c2 AS pages
WORKDIR /app
COPY package.json pnpm-lock.yaml pnpm-workspace.yaml .npmrc tsconfig.json ./
COPY packages packages
COPY services services
RUN npm exec --yes --package=pnpm@12.4.2 -- pnpm install --frozen-lockfile --filter "@planwright/dashboard..." --filter @planwright/docs-site
COPY docs docs
WORKDIR /app/packages/dashboard
RUN node node_modules/vite/bin/vite.js build
WORKDIR /app/packages/docs-site
RUN node node_modules/vitepress/bin/vitepress.js build .

# For linux/amd64 and linux/arm64. No package that the services need is compiled for one of them.
FROM node:26.10.0-bookworm-slim@sha256:662933cf47f013bc8e4beb31a6116448427a82057ba7c42c97e4c5ba766504c2
WORKDIR /app
COPY package.json pnpm-lock.yaml pnpm-workspace.yaml .npmrc LICENSE ./
COPY packages packages
COPY services services
# The wall around child processes (docs/security.md); what a container must permit for it is in docs/compose.md.
RUN apt-get update && apt-get install -y --no-install-recommends bubblewrap && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production
# Without the optional packages, which are the Node that this image already has.
RUN npm exec --yes --package=pnpm@12.4.2 -- pnpm install --frozen-lockfile --prod --no-optional --filter "{services/*}..."
COPY --from=pages /app/packages/dashboard/dist packages/dashboard/dist
COPY --from=pages /app/packages/docs-site/dist packages/docs-site/dist
COPY examples/data examples/data
COPY examples/docs examples/docs
COPY deploy/healthcheck.ts deploy/healthcheck.ts
RUN mkdir -p /data /users && chown node:node /data /users
USER node
# Room for values that die young, as under `npm start`.
ENV NODE_OPTIONS=--max-semi-space-size=64
ENV PLANWRIGHT_DATA=/data
CMD ["node", "services/gateway/src/main.ts"]
