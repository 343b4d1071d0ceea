// SPDX-License-Identifier: GPL-2.0-only
/*
 * pair loopback|udp|socketpair MS [BYTES [CLIENTS]]: CLIENTS clients and a server
 * for each, all processes, send BYTES to and fro and look at every line of them.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "bench.h"

enum { MAX_BYTES = 1 << 16, MAX_CLIENTS = 64 };

static char data[MAX_BYTES];

static int pass_all(int fd, int bytes, int sending)
{
	for (int done = 0; done < bytes;) {
		ssize_t n = sending ? write(fd, data + done, bytes - done) :
				      read(fd, data + done, bytes - done);

		if (n <= 0)
			return 0;
		done += n;
	}
	return 1;
}

static void look(int bytes)
{
	for (int i = 0; i < bytes; i += 64)
		data[i]++;
}

static int serve(int fd, int bytes)
{
	while (pass_all(fd, bytes, 0)) {
		look(bytes);
		if (!pass_all(fd, bytes, 1))
			break;
	}
	return 0;
}

static int connect_loopback(int *client, int *server)
{
	struct sockaddr_in at = { .sin_family = AF_INET };
	int one = 1, door = socket(AF_INET, SOCK_STREAM, 0);
	socklen_t len = sizeof(at);

	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (bind(door, (struct sockaddr *)&at, len) || listen(door, 1) ||
	    getsockname(door, (struct sockaddr *)&at, &len))
		return 0;
	*client = socket(AF_INET, SOCK_STREAM, 0);
	if (connect(*client, (struct sockaddr *)&at, len))
		return 0;
	*server = accept(door, NULL, NULL);
	setsockopt(*client, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	setsockopt(*server, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	return *server >= 0;
}

/* Two sockets that know each other. */
static int connect_udp(int *fd)
{
	struct sockaddr_in at[2];
	socklen_t len = sizeof(*at);

	for (int i = 0; i < 2; i++) {
		at[i] = (struct sockaddr_in){ .sin_family = AF_INET };
		at[i].sin_addr.s_addr = htonl(INADDR_LOOPBACK);
		fd[i] = socket(AF_INET, SOCK_DGRAM, 0);
		if (bind(fd[i], (struct sockaddr *)&at[i], len) ||
		    getsockname(fd[i], (struct sockaddr *)&at[i], &len))
			return 0;
	}
	return !connect(fd[0], (struct sockaddr *)&at[1], len) &&
	       !connect(fd[1], (struct sockaddr *)&at[0], len);
}

static int connect_pair(const char *kind, int *fd)
{
	if (!strcmp(kind, "loopback"))
		return connect_loopback(&fd[0], &fd[1]);
	if (!strcmp(kind, "udp"))
		return connect_udp(fd);
	return !socketpair(AF_UNIX, SOCK_STREAM, 0, fd);
}

/* A client: starts its server, returns its number of trips until @end. */
static u64 be_client(const char *kind, int bytes, u64 end)
{
	u64 trips = 0;
	pid_t server;
	int fd[2];

	if (!connect_pair(kind, fd)) {
		perror(kind);
		exit(1);
	}
	server = fork();
	if (!server) {
		close(fd[0]);
		_exit(serve(fd[1], bytes));
	}
	close(fd[1]);
	while (now() < end) {
		look(bytes);
		if (!pass_all(fd[0], bytes, 1) || !pass_all(fd[0], bytes, 0))
			exit(1);
		trips++;
	}
	close(fd[0]);
	/* Without a connection it does not see that we are gone. */
	if (!strcmp(kind, "udp"))
		kill(server, SIGKILL);
	waitpid(server, NULL, 0);
	return trips;
}

int main(int argc, char **argv)
{
	int ms = argument(argc, argv, 2, 100), bytes = argument(argc, argv, 3, 1024);
	int clients = argument(argc, argv, 4, 1), status, failed = 0;
	u64 end, sum = 0, *trips;

	if (argc < 2 || bytes < 1 || bytes > MAX_BYTES || clients < 1 || clients > MAX_CLIENTS)
		return 2;
	trips = mmap(NULL, clients * sizeof(*trips), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (trips == MAP_FAILED)
		return 1;
	end = now() + ms * NSEC_PER_MSEC;
	for (int i = 0; i < clients; i++)
		if (!fork()) {
			trips[i] = be_client(argv[1], bytes, end);
			_exit(0);
		}
	for (int i = 0; i < clients; i++)
		failed |= wait(&status) < 0 || status;
	for (int i = 0; i < clients; i++)
		sum += trips[i];
	printf("trips/ms %.2f\n", sum / (double)ms);
	return failed;
}
