# The web board in a container: docker build -t awale . && docker run -p 8000:8000 -v awale:/data awale
FROM python:3.12-slim AS build
WORKDIR /build
COPY pyproject.toml constraints.txt PACKAGE.md LICENSE ./
COPY src ./src
RUN python -m venv /opt/awale \
 && /opt/awale/bin/pip install --no-cache-dir -c constraints.txt '.[web,store]'

FROM python:3.12-slim
RUN useradd --create-home --uid 10001 awale && mkdir /data && chown awale:awale /data
COPY --from=build /opt/awale /opt/awale
# Games in /data; the compiled kernels too, so that a second start finds them.
ENV PATH=/opt/awale/bin:$PATH AWALE_DATA_DIR=/data AWALE_CACHE_DIR=/data/cache PYTHONUNBUFFERED=1
USER awale
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
CMD ["awale", "serve", "--host", "0.0.0.0", "--port", "8000"]
